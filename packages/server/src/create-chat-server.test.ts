import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "./test-waits/eventually.contract.ts";
import { createHeldModel } from "./contract/held-model.contract.ts";
import { instancesContract, ownerOf } from "./contract/instances.contract.ts";
import { Client, eventsOf, refusalOf, serverOpener, tap } from "./contract/server.contract.ts";
import { threadOpener, wordsOf } from "./contract/thread.contract.ts";
import { openSqliteStorage } from "./storage/sqlite.ts";

const open = serverOpener();
const { openHeld } = threadOpener();

const interrupted = { type: "error", errorText: "Ответ прервался: сервер остановился. Попробуйте ещё раз." };

describe("a server that closes", () => {
  it("parks its runs: their text is stored, and their readers get the end", async () => {
    const { model, client, threadId, server, storage } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.write("Полсло");
    await eventually(async () => expect(wordsOf((await client.messages(threadId)).at(-1)?.content)).toBe("Полсло"));
    await server.close();
    expect((await eventsOf(stream)).slice(-2)).toEqual([interrupted, "[DONE]"]);
    expect(model.requests[0]?.signal.aborted).toBe(true);
    const next = await open({ storage });
    const answer = (await new Client(next.server, "default", client.cookie).messages(threadId)).at(-1);
    expect([answer?.status, wordsOf(answer?.content)]).toEqual([
      { type: "incomplete", reason: "interrupted" },
      "Полсло",
    ]);
  });

  it("lets a short run finish", async () => {
    const { model, client, threadId, server } = await openHeld(undefined, { timings: { graceMs: 5_000 } });
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    const closing = server.close();
    model.write("Слово");
    model.end();
    await closing;
    expect((await eventsOf(stream)).at(-2)).toEqual({ type: "finish", finishReason: "stop" });
  });

  it("serves everything but new questions while it drains, including readers that join", async () => {
    const { model, client, threadId, server } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    const other = await client.newThread();
    const closing = server.close({ drainMs: 300, graceMs: 5_000 });
    expect((await client.get("/readyz")).status).toBe(503);
    const refused = await client.ask(other, { id: "q1" });
    expect([refused.headers.get("retry-after"), await refusalOf(refused)]).toEqual(["1", "503 overloaded"]);
    expect(await client.threads()).toHaveLength(2);
    const again = await client.ask(threadId, { id: "q1" });
    model.write("Слово");
    model.end();
    for (const one of [stream, again]) {
      expect((await eventsOf(one)).slice(-3)).toContainEqual({ type: "finish", finishReason: "stop" });
    }
    const late = await client.newThread();
    await closing;
    expect((await client.threads()).map((thread) => thread.threadId)).toContain(late);
  });

  it("refuses a new question with Retry-After", async () => {
    const { client, threadId, server } = await openHeld();
    await server.close();
    const response = await client.ask(threadId, { id: "q1" });
    expect([response.headers.get("retry-after"), await refusalOf(response)]).toEqual(["1", "503 overloaded"]);
  });

  it("does not wait for a model that does not stop, or for a title", async () => {
    const model = createHeldModel({ stubborn: true, title: () => new Promise(() => undefined) });
    const { client, server } = await openHeld(model);
    const [first, second] = [await client.newThread(), await client.newThread()];
    const titled = await client.ask(first, { id: "q1" });
    await model.asked(1);
    model.write("Да");
    model.end();
    const stuck = await client.ask(second, { id: "q1" });
    await model.asked(2);
    await server.close();
    expect((await eventsOf(titled)).at(-1)).toBe("[DONE]");
    expect((await eventsOf(stuck)).slice(-2)).toEqual([interrupted, "[DONE]"]);
  });
});

describe("a server's instance", () => {
  it("is the one that its storage was opened for, so that signals reach its runs", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    const instances: string[] = [];
    const begin: typeof storage.runs.begin = (owner, run, ...rest) => {
      instances.push(run.instanceId);
      return storage.runs.begin(owner, run, ...rest);
    };
    const { visitor } = await open({ storage: { ...storage, instanceId: "one", runs: { ...storage.runs, begin } } });
    const client = await visitor();
    await eventsOf(await client.ask(await client.newThread(), { id: "q1" }));
    expect(instances).toEqual(["one"]);
  });

  it("is refused when it differs from the storage's", async () => {
    const storage = { ...(await openSqliteStorage({ path: ":memory:" })), instanceId: "one" };
    await expect(open({ storage, instanceId: "two" })).rejects.toThrow(
      'instanceId is "two", but the storage was opened for "one"',
    );
  });
});

describe("a running server", () => {
  it("keeps its own long runs from counting as interrupted", async () => {
    const { model, client, threadId } = await openHeld(undefined, { timings: { heartbeatMs: 20, staleMs: 100 } });
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    await new Promise((resolve) => setTimeout(resolve, 400));
    model.write("Всё ещё тут");
    model.end();
    expect((await eventsOf(stream)).at(-2)).toEqual({ type: "finish", finishReason: "stop" });
  });

  it("stops an answer whose visitor was erased by another program on the same file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "nitka-purge-"));
    const path = join(folder, "nitka.db");
    const storage = await openSqliteStorage({ path });
    const beside = await openSqliteStorage({ path, alone: false });
    const { model, client, threadId, log } = await openHeld(undefined, { storage, timings: { heartbeatMs: 20 } });
    const stream = tap(await client.ask(threadId, { id: "q1" }));
    await model.asked(1);
    model.write("Полсло");
    await beside.visitors.purge(ownerOf(client));
    await stream.done;
    expect(model.requests[0]?.signal.aborted).toBe(true);
    await eventually(() => expect(log.map(({ text }) => text)).toContain("run ended"));
    await beside.close();
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("deletes data that is older than its retention", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    const before = await open({ storage, clock: () => new Date("2026-01-01T00:00:00Z") });
    const client = await before.visitor();
    await client.newThread();
    await open({ storage, retentionDays: 30, clock: () => new Date("2026-03-01T00:00:00Z") });
    await eventually(async () => expect(await client.threads()).toEqual([]));
    await storage.close();
  });
});

describe("on SQLite", () => {
  const closes: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
  });

  instancesContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), "nitka-instances-"));
    const path = join(folder, "nitka.db");
    const storage = await openSqliteStorage({ path });
    const beside = new DatabaseSync(path);
    closes.push(async () => {
      beside.close();
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const loseLogs = async () => beside.exec("delete from run_event");
    return { here: storage, there: storage, loseLogs };
  });
});
