import { describe, expect, it } from "vitest";
import type { ServerConfig, Thread } from "@nitka/protocol";
import { ChatError } from "../chat-error.ts";
import { createCallingModel } from "../contract/calling-model.contract.ts";
import { eventsOf, ORIGIN, refusalOf, serverOpener } from "../contract/server.contract.ts";
import type { OpenOptions } from "../contract/server.contract.ts";
import type { Admit, AdmitContext, Identify } from "../http/host-checks.ts";

const open = serverOpener();
const png = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], "a.png", { type: "image/png" });

describe("admit", () => {
  it("is asked before a thread, a question and an upload, with visitor and project, and never for a known question", async () => {
    const asked: (AdmitContext & { readonly path: string; readonly hasBody: boolean })[] = [];
    const admit: Admit = (request, context) => {
      const hasBody = request.body !== null;
      asked.push({ ...context, path: new URL(request.url).pathname, hasBody });
      request.headers.get("cookie");
    };
    const client = await (await open({ admit })).visitor();
    const threadId = await client.newThread();
    await client.upload(threadId, png);
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const same = { project: "default", visitor: { id: expect.any(String) as unknown }, hasBody: false };
    expect(asked).toEqual([
      { ...same, call: "thread", path: "/api/debug/threads" },
      { ...same, call: "upload", path: `/api/debug/threads/${threadId}/attachments` },
      { ...same, call: "question", path: `/api/debug/threads/${threadId}/run/stream` },
    ]);
  });

  it.each<[string, Admit, string, string | null]>([
    ["at once", () => ({ status: 402, code: "no_plan", message: "Buy one." }), "402 no_plan", null],
    ["later", async () => ({ status: 429, code: "slow", message: "Wait.", retryAfter: 1.2 }), "429 slow", "2"],
    ["by an error of ours", () => Promise.reject(new ChatError("unauthorized", "Sign in.")), "401 unauthorized", null],
    ["with no status", () => ({ code: "no_plan", message: "Buy one." }) as never, "403 no_plan", null],
    ["with a status of success", () => ({ status: 200, code: "", message: "" }), "403 refused", null],
  ])("may refuse %s", async (_, refuse, refusal, retryAfter) => {
    let refuses = false;
    const opened = await open({ admit: (...asked) => (refuses ? refuse(...asked) : undefined) });
    const client = await opened.visitor();
    const threadId = await client.newThread();
    refuses = true;
    for (const post of [
      () => client.post("threads", {}),
      () => client.ask(threadId, { id: "q1" }),
      () => client.upload(threadId, png),
    ]) {
      const response = await post();
      expect(response.headers.get("retry-after")).toBe(retryAfter);
      expect(await refusalOf(response)).toBe(refusal);
    }
    expect(await client.messages(threadId)).toEqual([]);
    // A refused question has released its place.
    refuses = false;
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    expect(await client.messages(threadId)).toHaveLength(2);
  });

  it.each<[string, Admit, string]>([
    ["hangs", () => new Promise(() => undefined), "admit timed out: the visitor is admitted"],
    [
      "throws",
      () => {
        throw new Error("no database");
      },
      "admit failed: the visitor is admitted",
    ],
    ["rejects", () => Promise.reject(new Error("no database")), "admit failed: the visitor is admitted"],
    ["returns true", () => true as never, "admit returned neither nothing nor a refusal: the visitor is admitted"],
  ])("keeps nobody out when it %s, and the log has a warning", async (_, admit, warning) => {
    const opened = await open({ admit, timings: { admitMs: 50 } });
    const client = await opened.visitor();
    expect((await client.post("threads", {})).status).toBe(200);
    const warnings = opened.log.filter(({ level }) => level === "warn");
    expect(warnings.map(({ text, fields }) => [text, fields["call"], fields["project"]])).toEqual([
      [warning, "thread", "default"],
    ]);
  });
});

describe("identify", () => {
  const bySession: Identify = (request) => {
    const name = request.headers.get("x-session");
    return name === null ? undefined : { sub: name, claims: { plan: "pro" } };
  };
  const asking = (session?: string) => ({ headers: session === undefined ? {} : { "x-session": session } });

  async function openNamed(more: OpenOptions = {}) {
    const model = createCallingModel([]);
    const opened = await open({ identify: bySession, model, ...more });
    const client = await opened.visitor();
    const threads = async (session?: string) =>
      ((await (await client.fetch("threads", asking(session))).json()) as Thread[]).length;
    return { ...opened, client, model, threads };
  }

  it("identifies the visitor of each request without a token: the same one on each device, with claims", async () => {
    const { client, threads, model } = await openNamed();
    const made = await client.post("threads", {}, asking("7"));
    const { threadId } = (await made.json()) as Thread;
    expect([await threads("7"), await threads("8"), await threads()]).toEqual([1, 0, 0]);
    const message = { id: "q1", role: "user", content: "Привет" };
    await eventsOf(await client.post(`threads/${threadId}/run/stream`, { messages: [message] }, asking("7")));
    expect(model.requests[0]?.asker).toEqual({
      sub: "7",
      anonymous: false,
      claims: { plan: "pro" },
      project: "default",
      thread: threadId,
    });
  });

  it("may be asynchronous, and takes precedence over a bearer token; anybody else has their cookie", async () => {
    const { client, threads } = await openNamed({ identify: async (request) => bySession(request) });
    await client.newThread();
    const headers = { authorization: "Bearer nothing", "x-session": "7" };
    expect((await client.fetch("threads", { headers })).status).toBe(200);
    expect([await threads("7"), await threads()]).toEqual([0, 1]);
  });

  it("moves the anonymous visitor's threads to the identified visitor", async () => {
    const { client, threads } = await openNamed();
    await client.newThread();
    const claimed = await client.post("visitor/claim", {}, asking("7"));
    expect(await claimed.json()).toEqual({ threads: 1 });
    expect([await threads("7"), await threads()]).toEqual([1, 0]);
  });

  it("gives the widget a mark of an identified visitor, so that their threads are claimed", async () => {
    const { client } = await openNamed();
    const configOf = async (session?: string) =>
      (await (await client.fetch("/api/projects/default/config", asking(session))).json()) as ServerConfig;
    const [seven, eight, nobody] = [await configOf("7"), await configOf("8"), await configOf()];
    expect([seven.features?.claim, nobody.features?.claim, nobody.visitor]).toEqual([true, false, undefined]);
    expect(seven.visitor?.named).toMatch(/^[\w-]{20,}$/);
    expect(await configOf("7")).toEqual(seven);
    expect(eight.visitor?.named).not.toBe(seven.visitor?.named);
  });

  it("provides claims that a project shares with its model, without a secret", async () => {
    const { client, model } = await openNamed({ project: { shareClaims: ["plan"] } });
    const { threadId } = (await (await client.post("threads", {}, asking("7"))).json()) as Thread;
    const messages = [{ id: "q1", role: "user", content: "Привет" }];
    await eventsOf(await client.post(`threads/${threadId}/run/stream`, { messages }, asking("7")));
    expect(model.requests[0]?.shownClaims).toEqual({ plan: "pro" });
  });

  it.each<[string, Identify, string]>([
    [
      "throws",
      () => {
        throw new Error("no database");
      },
      "500 internal",
    ],
    [
      "throws an error of ours",
      () => {
        throw new ChatError("unauthorized", "Sign in.");
      },
      "401 unauthorized",
    ],
    ["hangs", () => new Promise(() => undefined), "503 unavailable"],
    ["names nobody", () => ({ sub: "" }), "500 internal"],
    ["names a number", () => ({ sub: 7 }) as never, "500 internal"],
    ["gives too long a name", () => ({ sub: "x".repeat(201) }), "500 internal"],
    ["gives too many claims", () => ({ sub: "7", claims: { text: "x".repeat(4_096) } }), "500 internal"],
    ["gives claims that are none", () => ({ sub: "7", claims: [] }) as never, "500 internal"],
  ])("fails the request when it %s: it would be another visitor's", async (_, identify, refusal) => {
    const { server, log } = await open({ identify, timings: { identifyMs: 50 } });
    const response = await server.fetch(new Request(`${ORIGIN}/api/debug/threads`));
    expect(await refusalOf(response)).toBe(refusal);
    expect(log.filter(({ level }) => level === "error")).toHaveLength(refusal === "500 internal" ? 1 : 0);
  });
});

it("A server does not serve the pages that its host has switched off", async () => {
  const statusOf = async (options: OpenOptions, path: string) =>
    (await (await open(options)).server.fetch(new Request(ORIGIN + path))).status;
  const pages = { metrics: false, openapi: false } as const;
  for (const path of ["/metrics", "/openapi.json"]) {
    expect([await statusOf({}, path), await statusOf({ pages }, path)]).toEqual([200, 404]);
  }
  expect(await statusOf({ pages }, "/healthz")).toBe(200);
  expect(await statusOf({ pages: { metrics: false } }, "/openapi.json")).toBe(200);
});
