import { describe, expect, it } from "vitest";
import { Client, eventsOf, refusalOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { createMetrics } from "../http/metrics.ts";
import { StorageUnavailableError } from "../storage/storage.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { serverPages } from "./server-pages.ts";

const { open, openThread, openHeld } = threadOpener();

async function openClient(...options: Parameters<typeof open>) {
  const opened = await open(...options);
  return { ...opened, client: new Client(opened.server) };
}

describe("the pages for operators", () => {
  it("report that the process is alive and ready", async () => {
    const { client, server } = await openClient();
    expect(await (await client.get("/healthz")).json()).toEqual({ status: "ok" });
    expect(await (await client.get("/readyz")).json()).toEqual({ status: "ready" });
    await server.close();
    const closing = await client.get("/readyz");
    expect([closing.status, await closing.json()]).toEqual([
      503,
      { status: "not ready", problem: "the server is closing" },
    ]);
    expect((await client.get("/healthz")).status).toBe(200);
  });

  it("report when the database is unavailable", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    const ping = () => Promise.reject(new StorageUnavailableError("gone"));
    const { client } = await openClient({ storage: { ...storage, ping } });
    const response = await client.get("/readyz");
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: "not ready", problem: "the database cannot be reached" },
    ]);
  });

  it("count runs, tokens, time to first token, requests and database time", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.write("Да");
    model.end({ inputTokens: 12, cachedInputTokens: 4, outputTokens: 3 });
    await eventsOf(stream);
    const page = await (await client.get("/metrics")).text();
    const labels = 'project="default",model="held"';
    for (const line of [
      `nitka_runs_total{${labels},outcome="complete"} 1`,
      `nitka_tokens_total{${labels},purpose="answer",direction="input"} 8`,
      `nitka_tokens_total{${labels},purpose="answer",direction="cached"} 4`,
      `nitka_tokens_total{${labels},purpose="answer",direction="output"} 3`,
      `nitka_time_to_first_token_seconds_count{${labels}} 1`,
      "nitka_open_streams 0",
      "nitka_active_runs 0",
      'nitka_http_request_duration_seconds_count{method="POST",route="/api/debug/threads",status="200"} 1',
      'nitka_database_duration_seconds_count{call="runs.begin",result="ok"} 1',
    ]) {
      expect(page.split("\n")).toContain(line);
    }
  });

  it("describe every operation with the schemas that validate it", async () => {
    const { client } = await openClient();
    const document = (await (await client.get("/openapi.json")).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: Record<string, object> };
    };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.entries(document.paths).map(([path, methods]) => `${Object.keys(methods).join()} ${path}`)).toEqual(
      [
        "get /api/projects/{id}/config",
        "get,post /api/debug/threads",
        "get /api/debug/threads/{threadId}/messages",
        "post /api/debug/threads/{threadId}/rename",
        "post /api/debug/threads/{threadId}/archive",
        "post /api/debug/threads/{threadId}/restore",
        "post /api/debug/threads/{threadId}/branch",
        "post,get /api/debug/threads/{threadId}/run/stream",
        "post /api/debug/threads/{threadId}/run/cancel",
        "post /api/debug/threads/{threadId}/messages/{messageId}/feedback",
        "post /api/debug/threads/{threadId}/run/tool",
        "post /api/debug/threads/{threadId}/attachments",
        "get /api/debug/attachments/{attachmentId}",
        "delete /api/debug/visitor",
        "get /api/debug/visitor/export",
        "post /api/debug/visitor/consent",
        "post /api/debug/visitor/claim",
      ].flatMap((line) => [line, line.replace(" ", " /p/{projectId}")]),
    );
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? "");
    expect(references.filter((name) => !Object.hasOwn(document.components.schemas, name))).toEqual([]);
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("report the delay of the event loop and the time of garbage collection", async () => {
    const { client } = await openClient();
    await expect
      .poll(async () => (await client.get("/metrics")).text())
      .toMatch(/^nitka_event_loop_delay_seconds\{quantile="0.99"\} 0\.\d+$/m);
    expect(await (await client.get("/metrics")).text()).toContain("# TYPE nitka_gc_seconds_total counter");
  });

  it("ping the database once a second, and log nothing while all is well", async () => {
    let now = Date.UTC(2026, 10, 21);
    let pings = 0;
    const storage = await openSqliteStorage({ path: ":memory:" });
    const ping = async () => void (pings += 1);
    const { client, log } = await openClient({ storage: { ...storage, ping }, clock: () => new Date(now) });
    for (const path of ["/readyz", "/readyz", "/healthz", "/metrics", "/openapi.json"]) await client.get(path);
    expect([pings, log.filter(({ text }) => text === "request")]).toEqual([1, []]);
    now += 1_000;
    await client.get("/readyz");
    expect(pings).toBe(2);
  });

  it("show the size of the database, which is queried once a minute and may be unavailable", async () => {
    let now = Date.UTC(2026, 10, 21);
    let asked = 0;
    const storage = await openSqliteStorage({ path: ":memory:" });
    const tableBytes = async () => {
      asked += 1;
      if (asked > 1) throw new StorageUnavailableError("gone");
      return await storage.tableBytes();
    };
    const { client } = await openClient({ storage: { ...storage, tableBytes }, clock: () => new Date(now) });
    const sizes = async () => (await (await client.get("/metrics")).text()).match(/^nitka_database_bytes\{.*/gm);
    const first = await sizes();
    expect(first).toEqual([expect.stringMatching(/^nitka_database_bytes\{table="all"\} [1-9]\d+$/)]);
    expect([await sizes(), asked]).toEqual([first, 1]);
    now += 60_000;
    expect([await sizes(), asked]).toEqual([first, 2]);
  });

  it("make the description of the calls once, however often it is read", async () => {
    let made = 0;
    const readiness = { problem: () => Promise.resolve(undefined) };
    const pages = serverPages(readiness, createMetrics(), () => ({ made: (made += 1) }));
    const read = async () => (await pages.find(({ path }) => path === "/openapi.json")?.read())?.text;
    expect([await read(), await read()]).toEqual(['{"made":1}', '{"made":1}']);
  });

  it("accept only GET and HEAD", async () => {
    const { client } = await openClient();
    const response = await client.fetch("/healthz", { method: "POST" });
    expect([response.headers.get("allow"), await refusalOf(response)]).toEqual(["GET, HEAD", "405 method_not_allowed"]);
  });
});

describe("an address", () => {
  it.each(["/", "/api", "/api/debug", "/api/debug/nothing", "/p/default", "/p//api/debug/threads", "/widget/nitka.js"])(
    "that does not exist is 404: %s",
    async (path) => {
      const { client } = await openClient();
      expect(await refusalOf(await client.get(path))).toBe("404 not_found");
    },
  );

  it.each([
    ["PUT", "threads", "OPTIONS, GET, HEAD, POST"],
    ["DELETE", "threads/abc", undefined],
    ["GET", "threads/abc/rename", "OPTIONS, POST"],
    ["POST", "threads/abc/messages", "OPTIONS, GET, HEAD"],
    ["PATCH", "threads/abc/run/stream", "OPTIONS, POST, GET, HEAD"],
    ["HEAD", "threads/abc/archive", "OPTIONS, POST"],
  ])("accepts only its own methods: %s %s", async (method, path, allow) => {
    const { client } = await openClient();
    const response = await client.fetch(path, { method });
    const expected = allow === undefined ? [404, null] : [405, allow];
    expect([response.status, response.headers.get("allow")]).toEqual(expected);
  });

  it.each([
    ["OPTIONS", "threads"],
    ["OPTIONS", "/p/default/api/debug/threads/abc/run/stream"],
    ["GET", "/nowhere"],
    ["POST", "/p/unknown/api/debug/threads"],
    ["GET", "/metrics"],
    ["GET", "/openapi.json"],
  ])("that costs little has a limit of its own: %s %s", async (method, path) => {
    const { client } = await openClient({ project: { limits: { requestsPerMinute: 3 } } });
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await client.fetch(path, { method }));
    expect(answers.map(({ status }) => status === 429)).toEqual([false, false, false, true, true]);
    expect(answers[4]?.headers.get("retry-after")).toBe("20");
    // Neither process supervisors nor the calls of the same address are affected.
    expect((await client.get("/healthz")).status).toBe(200);
    expect((await client.get("/readyz")).status).toBe(200);
    expect((await client.get("threads")).status).toBe(200);
  });

  it("without a project has the most generous limit of all projects", async () => {
    const { client } = await openClient({ project: { limits: { requestsPerMinute: null } } });
    for (let n = 0; n < 700; n += 1) expect((await client.get("/nowhere")).status).toBe(404);
  });

  it("answers HEAD like GET, without a body", async () => {
    const { client } = await openClient();
    const response = await client.fetch("threads", { method: "HEAD" });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "application/json",
      "",
    ]);
  });

  it("may be under the base path of the host", async () => {
    const { client } = await openClient({ basePath: "/chat" });
    expect((await client.get("/chat/api/projects/default/config")).status).toBe(200);
    expect((await client.get("/chat/api/debug/threads")).status).toBe(200);
    expect((await client.get("/chat/healthz")).status).toBe(200);
    expect((await client.get("/api/debug/threads")).status).toBe(404);
  });

  it.each(["%00", "%E0%A4%A", "..%2F..%2Fetc", "a%20b", "%F0%9F%98%80", "a".repeat(5_000), "__proto__", "constructor"])(
    "whose id cannot be one is 404: %s",
    async (id) => {
      const { visitor } = await open();
      const client = await visitor();
      for (const path of [
        `threads/${id}/messages`,
        `attachments/${id}`,
        `/api/projects/${id}/config`,
        `/p/${id}/api/debug/threads`,
      ]) {
        expect((await client.get(path)).status).toBe(404);
      }
    },
  );
});

describe("every response", () => {
  it("has the safety headers, and is not cached", async () => {
    const { client } = await openClient();
    for (const path of ["threads", "threads/abc/messages", "/nowhere", "/healthz"]) {
      const { headers } = await client.get(path);
      expect({
        type: headers.get("x-content-type-options"),
        policy: headers.get("content-security-policy"),
        cache: headers.get("cache-control"),
        referrer: headers.get("referrer-policy"),
      }).toEqual({
        type: "nosniff",
        policy: "default-src 'none'; frame-ancestors 'none'; sandbox",
        cache: "no-store",
        referrer: "no-referrer",
      });
    }
  });

  it("has an id of the server's own when no proxy is trusted", async () => {
    const { client } = await openClient();
    const given = await client.get("threads", { "x-request-id": "visitor-17" });
    expect(given.headers.get("x-request-id")).toMatch(/^[0-9a-z]{24}$/);
  });

  it("has the request's id, from the proxy if it sent one, as in the log", async () => {
    const { client, log } = await openClient({ trustedProxies: 1 });
    const own = await client.get("threads");
    expect(own.headers.get("x-request-id")).toMatch(/^[0-9a-z]{24}$/);
    const given = await client.get("threads", { "x-request-id": "proxy-17" });
    const forged = await client.get("threads", { "x-request-id": "a b; c" });
    expect([given, forged].map(({ headers }) => headers.get("x-request-id"))).toEqual([
      "proxy-17",
      expect.stringMatching(/^[0-9a-z]{24}$/),
    ]);
    expect(log).toContainEqual({
      level: "info",
      text: "request",
      fields: {
        requestId: "proxy-17",
        method: "GET",
        route: "/api/debug/threads",
        status: 200,
        ms: expect.any(Number),
        projectId: "default",
        visitorId: expect.any(String),
      },
    });
  });

  it("is 503 with Retry-After while the database fails, and the log says why", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    const list = () => Promise.reject(new StorageUnavailableError("disk full", { cause: new Error("ENOSPC") }));
    const { client, log } = await openClient({ storage: { ...storage, threads: { ...storage.threads, list } } });
    const response = await client.get("threads");
    expect([response.headers.get("retry-after"), await refusalOf(response)]).toEqual(["5", "503 unavailable"]);
    const line = log.find(({ level }) => level === "error");
    expect(line?.fields).toMatchObject({ error: { message: "disk full", cause: { message: "ENOSPC" } } });
  });

  it("is 500 without details for an unexpected error", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    const list = () => Promise.reject(new TypeError("secret of the house"));
    const { client } = await openClient({ storage: { ...storage, threads: { ...storage.threads, list } } });
    const response = await client.get("threads");
    const text = await response.text();
    expect([response.status, text.includes("secret"), text.includes('"internal"')]).toEqual([500, false, true]);
  });
});

describe("the log", () => {
  it("has the run's id in the request's line, and the request's id in the run's line", async () => {
    const { client, threadId, log } = await openThread();
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const ended = log.find(({ text }) => text === "run ended")?.fields;
    expect(ended).toMatchObject({ threadId, runId: expect.any(String), requestId: expect.any(String) });
    const asked = log.find(({ fields }) => fields["requestId"] === ended?.["requestId"] && "method" in fields);
    expect(asked?.fields).toMatchObject({ method: "POST", threadId, runId: ended?.["runId"] });
  });

  it("has how long a run took, in seconds", async () => {
    const start = performance.now();
    const { client, threadId, log } = await openThread();
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const { seconds, secondsToFirstToken } = log.find(({ text }) => text === "run ended")?.fields ?? {};
    const most = (performance.now() - start) / 1000;
    expect([seconds, secondsToFirstToken].map((each) => Number(each) > 0 && Number(each) < most)).toEqual([true, true]);
    expect(Number(secondsToFirstToken)).toBeLessThan(Number(seconds));
  });

  it("contains no text of a message and no credential", async () => {
    const { model, client, threadId, log } = await openHeld();
    for (const end of [() => model.end(), () => model.fail(new Error("boom"))]) {
      const n = model.requests.length + 1;
      const stream = await client.ask(threadId, { id: `q${n}`, content: "СЕКРЕТ" });
      await model.asked(n);
      model.write("ОТВЕТ");
      end();
      await eventsOf(stream);
    }
    await client.post(`threads/${threadId}/rename`, { title: "НАЗВАНИЕ" });
    const text = JSON.stringify(log);
    const cookie = client.cookie?.split("=")[1] ?? "";
    expect(["СЕКРЕТ", "ОТВЕТ", "НАЗВАНИЕ", cookie].filter((word) => text.includes(word))).toEqual([]);
    expect(log.map((line) => line.text)).toEqual(expect.arrayContaining(["request", "run ended", "run failed"]));
  });
});
