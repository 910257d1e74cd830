// @vitest-environment node
import { describe, expect, it } from "vitest";
import { resolveApiBase } from "./api-base.ts";
import type { Credential } from "./credential.ts";
import { hostCredential } from "./credential.ts";
import { connect } from "./connect.ts";

describe("the api base", () => {
  const proxyUrl = "https://chat.example/proxy";
  const pageUrl = "https://shop.example/catalog/page?x=1";
  it.each([
    ["is the page's own origin by default", {}, "https://shop.example"],
    ["is what the page names, relative to itself", { option: "/chat//" }, "https://shop.example/chat"],
    ["may be another origin", { option: "https://api.example/v1/" }, "https://api.example/v1"],
    [
      "is what the config names, relative to the proxy",
      { configured: "./p/shop/" },
      "https://chat.example/proxy/p/shop",
    ],
    ["goes the way of the config call when the config says so", { configured: "./" }, "https://chat.example/proxy"],
    ["is the page's before the config's", { option: "/", configured: "./" }, "https://shop.example"],
  ])("%s", (_, given, expected) => {
    expect(resolveApiBase({ ...given, proxyUrl, pageUrl })).toBe(expected);
  });
});

describe("connecting", () => {
  /** Connects to a backend with this config; tells what was sent, and what was kept. */
  const open = async (
    config: unknown,
    kept: Record<string, string> = {},
    more: { hostCredential?: Credential; apiBase?: string } = {},
  ) => {
    const sent: (readonly [string, RequestCredentials | undefined, string | null])[] = [];
    const connection = await connect({
      projectId: "shop",
      proxyUrl: "https://chat.example/",
      pageUrl: "https://shop.example/",
      fetch: async (input, init) => {
        const url = input as string;
        sent.push([url, init?.credentials, new Headers(init?.headers).get("authorization")]);
        if (config instanceof Error && url.endsWith("/config")) throw config;
        return Response.json(url.endsWith("/config") ? config : []);
      },
      storage: {
        read: (key) => kept[key],
        write: (key, value) => void Object.assign(kept, { [key]: value }),
        remove: (key) => void Reflect.deleteProperty(kept, key),
      },
      warn: (text) => config instanceof Error || expect.unreachable(text),
      signal: new AbortController().signal,
      ...more,
    });
    await connection.transport.listThreads();
    return { connection, sent, kept };
  };
  const key = "nitka:visitor:shop@https://chat.example/";
  const configCall = "https://chat.example/api/projects/shop/config";

  it("calls the page's own origin where the config says nothing", async () => {
    const { sent } = await open({});
    expect(sent).toEqual([
      [configCall, "include", null],
      ["https://shop.example/api/debug/threads", "include", null],
    ]);
  });

  it("sends no cookies to a third origin, which may let in anyone", async () => {
    const { sent } = await open({}, {}, { apiBase: "https://api.example" });
    expect(sent[1]).toEqual(["https://api.example/api/debug/threads", "same-origin", null]);
  });

  it("sends the credential that the config gives, and keeps it once the visitor has done something", async () => {
    const { connection, sent, kept } = await open({ apiBase: "./", visitor: { token: "t" } });
    expect(sent[1]).toEqual(["https://chat.example/api/debug/threads", "include", "Bearer t"]);
    expect(kept).toEqual({});
    connection.remember();
    expect(kept).toEqual({ [key]: "t" });
  });

  it("sends what it kept with the next config call, and forgets it when it is not needed any more", async () => {
    const { sent, kept } = await open({}, { [key]: "t" });
    expect(sent.map(([, , authorization]) => authorization)).toEqual(["Bearer t", null]);
    expect(kept).toEqual({});
  });

  it("keeps what it kept when the config cannot be had", async () => {
    const kept = { [key]: "t" };
    await open(new Error("no connection"), kept);
    expect(kept).toEqual({ [key]: "t" });
  });

  it("sends the host's own token with everything and keeps nothing", async () => {
    const { connection, sent, kept } = await open(
      { visitor: { token: "t" } },
      {},
      { hostCredential: hostCredential(() => "jwt") },
    );
    connection.remember();
    expect(sent.map(([, , authorization]) => authorization)).toEqual(["Bearer jwt", "Bearer jwt"]);
    expect(kept).toEqual({});
  });
});
