// @vitest-environment node
import { describe, expect, it } from "vitest";
import { resolveApiBase } from "./api-base.ts";
import type { Credential } from "./credential.ts";
import { fixedCredential, hostCredential } from "./credential.ts";
import { claimThreads } from "./claim-threads.ts";
import { connect } from "./connect.ts";
import type { ConnectOptions } from "./connect.ts";
import { requestConfig } from "./fetch-config.ts";
import type { ConfigOptions } from "./fetch-config.ts";

describe("the API base", () => {
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
  /** Connects to a backend with this config. Returns what was sent and what was stored. */
  const open = async (
    config: unknown,
    kept: Record<string, string> = {},
    more: { hostCredential?: Credential; apiBase?: string } = {},
  ) => {
    const sent: (readonly [string, RequestCredentials | undefined, string | null])[] = [];
    const options = {
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
    } satisfies ConfigOptions & Omit<ConnectOptions, "response">;
    const ends: string[] = [];
    const connection = await connect({ ...options, response: requestConfig(options) }, (isKnown) =>
      ends.push(isKnown ? "another" : "unknown"),
    );
    await connection.transport.listThreads();
    return { connection, sent, kept, ends };
  };
  const key = "nitka:visitor:shop@https://chat.example/";
  const configCall = "https://chat.example/api/projects/shop/config";

  describe("as a visitor whom the page names", () => {
    const named = { hostCredential: fixedCredential("named") };
    const claims = { features: { claim: true }, apiBase: "./" };
    const claimCall = "https://chat.example/api/debug/visitor/claim";

    it("claims the threads of this browser's anonymous visitor before it requests the list", async () => {
      const { sent, kept } = await open(claims, { [key]: "anonymous" }, named);
      expect(sent.map(([url, , credential]) => [url, credential])).toEqual([
        [configCall, "Bearer named"],
        [claimCall, "Bearer named"],
        ["https://chat.example/api/debug/threads", "Bearer named"],
      ]);
      expect(kept).toEqual({});
    });

    it("claims threads if the backend knows the visitor by itself, without a token of the host, and distinguishes visitors", async () => {
      const bySession = { ...claims, visitor: { named: "mark" } };
      const { sent, kept, connection } = await open(bySession, { [key]: "anonymous" });
      expect(sent.slice(1).map(([url, , credential]) => [url, credential])).toEqual([
        [claimCall, null],
        ["https://chat.example/api/debug/threads", null],
      ]);
      expect([kept, await connection.subject()]).toEqual([{}, "mark"]);
    });

    it("begins anew where it is asked who is there, and the backend or a function that fails now has to say it", async () => {
      const bySession = await open({ ...claims, visitor: { named: "mark" } });
      await bySession.connection.askWho?.();
      expect(bySession.ends).toEqual([]);
      await bySession.connection.askWho?.(true);
      expect(bySession.ends).toEqual(["unknown"]);

      let token = () => Promise.resolve("a");
      const byFunction = await open(claims, {}, { hostCredential: hostCredential(() => () => token()) });
      await byFunction.connection.askWho?.(true);
      expect(byFunction.ends).toEqual([]);
      token = () => Promise.reject(new Error("signed out"));
      await byFunction.connection.askWho?.(true);
      expect(byFunction.ends).toEqual(["unknown"]);
      expect((await open(claims)).connection.askWho).toBe(undefined);
    });

    it("is connected while the claim goes on: the list and a new thread wait for it, and nothing else", async () => {
      const claimed = Promise.withResolvers<Response>();
      const sent: string[] = [];
      const options = {
        projectId: "shop",
        proxyUrl: "https://chat.example/",
        pageUrl: "https://shop.example/",
        fetch: async (input, init) => {
          const path = new URL(input as string).pathname;
          sent.push(`${init?.method ?? "GET"} ${path}`);
          if (path.endsWith("/config")) return Response.json(claims);
          if (path.endsWith("/claim")) return claimed.promise;
          return Response.json(init?.method === "POST" ? { threadId: "t1" } : []);
        },
        storage: { read: () => "anonymous", write: () => undefined, remove: () => undefined },
        warn: expect.unreachable,
        signal: new AbortController().signal,
        ...named,
      } satisfies ConfigOptions & Omit<ConnectOptions, "response">;
      const { transport } = await connect({ ...options, response: requestConfig(options) });
      const waiting = [transport.listThreads(), transport.createThread()];
      await transport.listMessages("t1");
      const before = [
        "GET /api/projects/shop/config",
        "POST /api/debug/visitor/claim",
        "GET /api/debug/threads/t1/messages",
      ];
      expect(sent.toSorted()).toEqual(before.toSorted());
      claimed.resolve(Response.json({ threads: 1 }));
      await Promise.all(waiting);
      expect(sent.slice(before.length).toSorted()).toEqual(["GET /api/debug/threads", "POST /api/debug/threads"]);
    });

    it.each([claims, { apiBase: "./" }])(
      "fails its first list at once where the page's function has failed at the start, and asks it again for the next: %j",
      async (config) => {
        const sent: string[] = [];
        const options = {
          projectId: "shop",
          proxyUrl: "https://chat.example/",
          pageUrl: "https://shop.example/",
          fetch: async (input) => {
            sent.push(new URL(input as string).pathname.replace(/.*\//, ""));
            return Response.json((input as string).endsWith("/config") ? config : []);
          },
          storage: { read: () => undefined, write: () => undefined, remove: () => undefined },
          warn: expect.unreachable,
          signal: new AbortController().signal,
        } satisfies ConfigOptions & Omit<ConnectOptions, "response">;
        const asked: string[] = [];
        const token = () => {
          asked.push(`after ${sent.length}`);
          return asked.length === 1 ? Promise.reject(new Error("signed out")) : Promise.resolve("named");
        };
        const credential = { hostCredential: hostCredential(() => token) };
        const { transport } = await connect({
          ...options,
          ...credential,
          response: requestConfig({ ...options, ...credential }),
        });
        await expect(transport.listThreads()).rejects.toThrow("signed out");
        expect([asked, sent]).toEqual([["after 0"], ["config"]]);
        expect(await transport.listThreads()).toEqual([]);
        expect(asked).toEqual(["after 0", "after 1"]);
        expect(sent).toEqual(["config", ...(config === claims ? ["claim"] : []), "threads"]);
      },
    );

    it("claims nothing where the backend does not offer it, nor as an anonymous visitor", async () => {
      const { sent, kept } = await open({ apiBase: "./" }, { [key]: "anonymous" }, named);
      const { sent: anonymous } = await open({ ...claims, visitor: { token: "anonymous" } });
      expect([...sent, ...anonymous].filter(([url]) => url === claimCall)).toEqual([]);
      expect(kept).toEqual({ [key]: "anonymous" });
    });

    it.each([
      ["names the anonymous visitor by the credential that was kept", "anonymous", [200], ['{"token":"anonymous"}']],
      ["leaves it to the cookie where none was kept", undefined, [200], ["{}"]],
      ["leaves it to the cookie where the kept one has expired", "old", [422, 200], ['{"token":"old"}', "{}"]],
    ])("%s", async (_, token, statuses, bodies) => {
      const sent: unknown[] = [];
      const left = [...statuses];
      const api = {
        base: "https://chat.example",
        credentials: "include",
        credential: fixedCredential("named"),
        signal: new AbortController().signal,
        fetch: async (_url: unknown, init?: RequestInit) => {
          sent.push(init?.body);
          return Response.json({ threads: 1 }, { status: left.shift() ?? 500 });
        },
      } as const;
      await claimThreads(api, token);
      expect(sent).toEqual(bodies);
    });

    it.each([
      ["by a token", claims, named],
      ["by the backend", { ...claims, visitor: { named: "mark" } }, {}],
    ])(
      "connects although the claim fails, and keeps the token for the next time: named %s",
      async (_, config, more) => {
        const kept: Record<string, string> = { [key]: "anonymous" };
        const warnings: string[] = [];
        const options = {
          projectId: "shop",
          proxyUrl: "https://chat.example/",
          pageUrl: "https://shop.example/",
          fetch: async (input) =>
            (input as string).endsWith("/config") ? Response.json(config) : new Response("down", { status: 503 }),
          storage: { read: (name) => kept[name], write: () => undefined, remove: () => expect.unreachable() },
          warn: (text) => warnings.push(text),
          signal: new AbortController().signal,
          ...more,
        } satisfies ConfigOptions & Omit<ConnectOptions, "response">;
        const { transport } = await connect({ ...options, response: requestConfig(options) });
        await expect(transport.listThreads()).rejects.toThrow("503");
        expect(warnings).toEqual([expect.stringMatching(/^claiming the visitor's threads failed: HTTP 503/)]);
      },
    );
  });

  it("sends requests to the page's origin where the config names no base", async () => {
    const { sent } = await open({});
    expect(sent).toEqual([
      [configCall, "include", null],
      ["https://shop.example/api/debug/threads", "include", null],
    ]);
  });

  it("sends no cookies to a third origin", async () => {
    const { sent } = await open({}, {}, { apiBase: "https://api.example" });
    expect(sent[1]).toEqual(["https://api.example/api/debug/threads", "same-origin", null]);
  });

  it("sends the token of the config, and keeps it once the visitor has done something", async () => {
    const { connection, sent, kept } = await open({ apiBase: "./", visitor: { token: "t" } });
    expect(sent[1]).toEqual(["https://chat.example/api/debug/threads", "include", "Bearer t"]);
    expect(kept).toEqual({});
    connection.remember();
    expect(kept).toEqual({ [key]: "t" });
  });

  it("sends the kept token with the next config request, and removes it when the config has none", async () => {
    const { sent, kept } = await open({}, { [key]: "t" });
    expect(sent.map(([, , authorization]) => authorization)).toEqual(["Bearer t", null]);
    expect(kept).toEqual({});
  });

  it("keeps the token when the config cannot be loaded, and sends it with the other requests", async () => {
    const { sent, kept } = await open(new Error("no connection"), { [key]: "t" });
    expect(sent.map(([, , authorization]) => authorization)).toEqual(["Bearer t", "Bearer t"]);
    expect(kept).toEqual({ [key]: "t" });
  });

  it("sends the host's token with every request and keeps nothing", async () => {
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
