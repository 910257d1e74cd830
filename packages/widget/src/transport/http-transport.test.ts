// @vitest-environment node
import type { RunRequest } from "@nitka/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fixedCredential, hostCredential } from "./credential.ts";
import { createHttpTransport } from "./http-transport.ts";
import type { Script } from "./scripted-transport.ts";
import type { ScriptedServer } from "./scripted-server.contract.ts";
import { startScriptedServer } from "./scripted-server.contract.ts";
import { describeTransport } from "./transport.contract.ts";

const everything = { resume: true, cancel: true, upload: true, branch: true };
const { signal } = new AbortController();
const request: RunRequest = { messages: [{ id: "q1", role: "user", content: "Привет" }] };

describeTransport("the transport of the wire", async (script) => {
  const server = await startScriptedServer(script);
  const api = {
    base: server.origin,
    credentials: "include",
    signal,
    fetch,
    credential: fixedCredential(undefined),
  } as const;
  return { transport: createHttpTransport(api, everything), close: () => server.close() };
});

describe("the HTTP transport", () => {
  let server: ScriptedServer | undefined;
  afterEach(() => server?.close());

  const open = async (script: Partial<Script> = {}, features = {}, token?: string) => {
    server = await startScriptedServer({ threads: [], messages: {}, onRun: (run) => run.done(), ...script });
    const api = {
      base: server.origin,
      credentials: "include",
      signal,
      fetch,
      credential: fixedCredential(token),
    } as const;
    return { transport: createHttpTransport(api, features), seen: server.seen };
  };

  it("sends a content type with a body alone, so that a GET needs no preflight", async () => {
    const { transport, seen } = await open();
    await transport.listThreads();
    await transport.createThread();
    await transport.startRun("t1", request, signal);
    const lines = seen.map(({ method, url, headers, body }) => [
      `${method} ${url}`,
      headers["content-type"],
      headers.accept,
      headers.authorization,
      body,
    ]);
    expect(lines).toEqual([
      ["GET /api/debug/threads", undefined, "*/*", undefined, ""],
      ["POST /api/debug/threads", "application/json", "*/*", undefined, "{}"],
      [
        "POST /api/debug/threads/t1/run/stream",
        "application/json",
        "text/event-stream",
        undefined,
        JSON.stringify(request),
      ],
    ]);
  });

  it("aborts every request when the widget is destroyed", async () => {
    const widget = new AbortController();
    const api = {
      base: "https://chat.example",
      credentials: "include",
      signal: widget.signal,
      fetch: hanging,
      credential: fixedCredential(undefined),
    } as const;
    const transport = createHttpTransport(api, everything);
    const calls = [
      transport.listThreads(),
      transport.createThread(),
      transport.listMessages("t1"),
      transport.renameThread("t1", "a"),
      transport.archiveThread("t1"),
      transport.startRun("t1", request, signal),
    ];
    widget.abort();
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(calls.map(() => "rejected"));
  });

  it("repeats a request whose token is refused once with a new one, streams too", async () => {
    const seen: (string | null)[] = [];
    const answers: typeof fetch = async (_, init) => {
      const token = new Headers(init?.headers).get("authorization");
      seen.push(token);
      return token === "Bearer new" ? Response.json([]) : new Response("expired", { status: 401 });
    };
    let token = "old";
    const source = () => token;
    const credential = hostCredential(() => source);
    const api = { base: "https://chat.example", credentials: "include", signal, fetch: answers, credential } as const;
    const transport = createHttpTransport(api, everything);
    await expect(transport.listThreads()).rejects.toMatchObject({ status: 401 });
    token = "new";
    await transport.startRun("t1", request, signal);
    await transport.listThreads();
    expect(seen).toEqual(["Bearer old", "Bearer old", "Bearer new", "Bearer new"]);
  });

  it("aborts a run whose headers do not arrive, but not one whose answer takes long", async () => {
    vi.useFakeTimers();
    const api = {
      base: "https://chat.example",
      credentials: "include",
      signal,
      credential: fixedCredential(undefined),
    } as const;
    const run = createHttpTransport({ ...api, fetch: hanging }).startRun("t1", request, signal);
    const failed = run.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await failed).toMatchObject({ status: 0, message: "The backend did not respond in time." });
    let ended: AbortSignal | null | undefined;
    const slow: typeof fetch = async (_, init) => {
      ended = init?.signal;
      return new Response(new ReadableStream());
    };
    await createHttpTransport({ ...api, fetch: slow }).startRun("t1", request, signal);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ended?.aborted).toBe(false);
    vi.useRealTimers();
  });

  it("fails with the status of a run whose failure has a text that does not come", async () => {
    vi.useFakeTimers();
    const stalled: typeof fetch = async (_, init) => {
      const body = new ReadableStream({
        start: (controller) => init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason)),
      });
      return new Response(body, { status: 503 });
    };
    const credential = fixedCredential(undefined);
    const api = { base: "https://chat.example", credentials: "include", signal, fetch: stalled, credential } as const;
    const failed = createHttpTransport(api)
      .startRun("t1", request, signal)
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await Promise.race([failed, Promise.resolve("nothing yet")])).toMatchObject({ status: 503 });
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it("caches nothing", async () => {
    const caches: (RequestCache | undefined)[] = [];
    const spy: typeof fetch = (input, init) => {
      caches.push(init?.cache);
      return fetch(input, init);
    };
    server = await startScriptedServer({ threads: [], messages: {} });
    const transport = createHttpTransport({
      base: server.origin,
      credentials: "include",
      signal,
      fetch: spy,
      credential: fixedCredential(undefined),
    });
    await transport.listThreads();
    await transport.createThread();
    expect(caches).toEqual(["no-store", "no-store"]);
  });

  it("has only the methods of the specification for a plain backend", async () => {
    const { transport, seen } = await open();
    await transport.startRun("t1", request, signal);
    expect(seen.map(({ url }) => url)).toEqual(["/api/debug/threads/t1/run/stream"]);
    expect(transport).not.toHaveProperty("joinRun");
    expect(transport).not.toHaveProperty("cancelRun");
    expect(transport).not.toHaveProperty("uploadAttachment");
    expect(transport).not.toHaveProperty("selectBranch");
  });

  it("asks a backend that can be rejoined for event ids", async () => {
    const { transport, seen } = await open({}, { resume: true });
    await transport.startRun("t1", request, signal);
    await transport.joinRun?.("t1", undefined, signal);
    await transport.joinRun?.("t1", "r1:42", signal);
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /api/debug/threads/t1/run/stream?cursor=1",
      "GET /api/debug/threads/t1/run/stream",
      "GET /api/debug/threads/t1/run/stream?after=r1%3A42",
    ]);
  });

  it("sends the visitor's token with every request", async () => {
    const { transport, seen } = await open({}, {}, "secret");
    await transport.listThreads();
    await transport.startRun("t1", request, signal);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer secret", "Bearer secret"]);
  });

  it("words failures as the specification does", async () => {
    const before = () => {
      throw new Error("broken");
    };
    const { transport } = await open({ before });
    const body = '{"error":{"code":"broken","message":"сломалось"}}';
    await expect(transport.listThreads()).rejects.toThrow(`HTTP 500 Internal Server Error: ${body}`);
    await expect(transport.startRun("t1", request, signal)).rejects.toThrow(`Upstream 500: ${body}`);
  });

  it.each([
    ["7", 7000],
    ["Sat, 21 Nov 2026 12:00:09 GMT", 9000],
    ["3600", 60_000],
    ["Sat, 21 Nov 2026 11:00:00 GMT", undefined],
    ["soon", undefined],
    [undefined, undefined],
  ])("tells when a backend that says %s is to be asked again", async (header, retryAfterMs) => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12), toFake: ["Date"] });
    const transport = createHttpTransport({
      base: "https://chat.example",
      credentials: "include",
      credential: fixedCredential(undefined),
      signal,
      fetch: async () =>
        new Response("", { status: 503, headers: header === undefined ? {} : { "retry-after": header } }),
    });
    await expect(transport.startRun("t1", request, signal)).rejects.toMatchObject({ status: 503, retryAfterMs });
    vi.useRealTimers();
  });

  it("rejects with the status 0 and the cause if the backend cannot be reached", async () => {
    const transport = createHttpTransport({
      base: "http://127.0.0.1:1",
      credentials: "include",
      signal,
      fetch,
      credential: fixedCredential(undefined),
    });
    await expect(transport.listThreads()).rejects.toMatchObject({ status: 0, cause: expect.any(Error) });
  });

  it("resolves addresses below the API base, and leaves data URLs as they are", () => {
    const transport = createHttpTransport({
      base: "https://chat.example/p/shop",
      credentials: "include",
      credential: fixedCredential(undefined),
      signal,
      fetch,
    });
    expect(transport.resolveUrl("api/debug/attachments/1")).toBe("https://chat.example/p/shop/api/debug/attachments/1");
    expect(transport.resolveUrl("data:image/png;base64,AA")).toBe("data:image/png;base64,AA");
  });
});

/** A network that never responds. */
const hanging: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    if (init?.signal?.aborted) reject(init.signal.reason);
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });
