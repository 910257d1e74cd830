// @vitest-environment node
import { describe, expect, it } from "vitest";
import { fixedCredential } from "./credential.ts";
import { fetchConfig } from "./fetch-config.ts";
import { readConfig } from "./read-config.ts";

/** Requests and reads a config. Returns it with the requests and the warnings. */
async function load(answer: () => Response | Promise<Response>, more: Partial<Parameters<typeof fetchConfig>[0]> = {}) {
  const asked: { readonly url: string; readonly init: RequestInit }[] = [];
  const warned: string[] = [];
  const body = await fetchConfig({
    proxyUrl: "https://chat.example/proxy",
    projectId: "shop & co",
    credential: fixedCredential(undefined),
    fetch: async (url, init = {}) => {
      asked.push({ url: url as string, init });
      return answer();
    },
    warn: (text) => warned.push(text),
    signal: new AbortController().signal,
    ...more,
  });
  return { config: body && readConfig(body), asked, warned };
}

describe("the config request", () => {
  it("goes to a path below the proxy's URL, with credentials", async () => {
    const { asked } = await load(() => Response.json({}));
    expect(asked).toMatchObject([
      {
        url: "https://chat.example/proxy/api/projects/shop%20%26%20co/config",
        init: { credentials: "include", cache: "no-store" },
      },
    ]);
    expect(asked[0]?.init).not.toHaveProperty("headers");
  });

  it("reads the fields that it knows; those of another type count as absent", async () => {
    const { config, warned } = await load(() =>
      Response.json({
        apiBase: "./",
        title: 5,
        feedbackUrl: false,
        greeting: { title: "Здравствуйте!", subtitle: null },
        suggestions: [{ title: "Погода" }, "чепуха", { prompt: "без названия" }],
        models: [{ id: "fast" }, {}],
        attachments: { maxBytes: "много", maxCount: 2 },
        notice: { text: "Отвечает робот", url: 5 },
        voice: { input: true, output: "да" },
        theme: { accent: "red", "--x": 1 },
        imageHosts: ["a.example", 1],
        features: { resume: true, cancel: "да" },
        mystery: 1,
      }),
    );
    expect(config).toEqual({
      apiBase: "./",
      feedbackUrl: false,
      greeting: { title: "Здравствуйте!" },
      suggestions: [{ title: "Погода", prompt: "Погода" }],
      models: [{ id: "fast", name: "fast" }],
      attachments: { maxCount: 2 },
      notice: { text: "Отвечает робот" },
      voice: { input: true },
      theme: { accent: "red" },
      imageHosts: ["a.example"],
      features: { resume: true },
    });
    expect(warned).toEqual([]);
  });

  it.each([
    ["a status", () => new Response("нет", { status: 503 }), "config fetch failed: 503"],
    [
      "a broken network",
      () => Promise.reject(new TypeError("Failed to fetch")),
      "config fetch failed: Failed to fetch",
    ],
    ["no object", () => Response.json([1]), "config fetch failed: not an object"],
  ])("that fails (%s) is one warning and no config", async (_, answer, warning) => {
    expect(await load(answer)).toMatchObject({ config: undefined, warned: [warning] });
  });

  it("is repeated without a token when the kept one is refused", async () => {
    const answers = [new Response("", { status: 401 }), Response.json({ title: "Магазин" })];
    const { config, asked, warned } = await load(() => answers.shift() as Response, {
      credential: fixedCredential("old"),
    });
    expect(asked.map(({ init }) => init.headers)).toEqual([{ authorization: "Bearer old" }, undefined]);
    expect({ config, warned }).toEqual({ config: { title: "Магазин" }, warned: [] });
  });
});
