import { afterEach, describe, expect, it } from "vitest";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { recorded } from "../contract/recorded-storage.contract.ts";
import { eventsOf, refusalOf } from "../contract/server.contract.ts";
import type { OpenOptions } from "../contract/server.contract.ts";
import { finish, threadOpener } from "../contract/thread.contract.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import type { Storage } from "../storage/storage.ts";

const storages: Storage[] = [];

afterEach(async () => {
  for (const storage of storages.splice(0)) await storage.close();
});

// After the hook above, so that servers are closed before their storages.
const { openHeld, openThread } = threadOpener();

async function openRecorded(options: OpenOptions = {}) {
  const storage = await openSqliteStorage({ path: ":memory:" });
  storages.push(storage);
  const { storage: watched, calls } = recorded(storage);
  const opened = await openHeld(createHeldModel(), { ...options, storage: watched });
  return { ...opened, calls };
}

const reads = (calls: readonly string[]) => calls.filter((call) => call.startsWith("messages."));

describe("a question that is refused", () => {
  it("reads no message of its thread when the visitor has asked too often", async () => {
    const { client, threadId, model, calls } = await openRecorded({ project: { limits: { messagesPerMinute: 1 } } });
    const first = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    finish(model);
    await eventsOf(first);
    calls.length = 0;
    expect(await refusalOf(await client.ask(threadId, { id: "q2" }))).toBe("429 rate_limited");
    expect(reads(calls)).toEqual([]);
  });

  it("reads none when the visitor or the process has too many runs", async () => {
    const limited = await openRecorded({ project: { limits: { runsAtOnce: 1 } } });
    const full = await openRecorded({ maxRuns: 1 });
    for (const { client, threadId, model, calls } of [limited, full]) {
      const other = await client.newThread();
      await client.ask(threadId, { id: "q1" });
      await model.asked(1);
      calls.length = 0;
      expect((await client.ask(other, { id: "q2" })).status).toBeGreaterThanOrEqual(429);
      expect(reads(calls)).toEqual([]);
    }
  });

  it("reads none while the thread has another run", async () => {
    const { client, threadId, model, calls } = await openRecorded();
    await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    calls.length = 0;
    expect(await refusalOf(await client.ask(threadId, { id: "q2" }))).toBe("409 run_in_progress");
    expect(reads(calls)).toEqual([]);
  });

  it("does not count against the visitor's limit when it is refused because of other runs", async () => {
    const { client, model } = await openRecorded({ project: { limits: { runsAtOnce: 4, messagesPerMinute: 5 } } });
    const threads: string[] = [];
    for (let n = 0; n < 8; n += 1) threads.push(await client.newThread());
    const asked = await Promise.all(threads.map((thread, n) => client.ask(thread, { id: `q${n}` })));
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(4);
    await model.asked(4);
    const [going] = threads;
    await client.post(`threads/${going}/run/cancel`, {});
    expect((await client.ask(going ?? "", { id: "q9" })).status).toBe(200);
  });
});

describe("a question that is refused when it is stored", () => {
  it("releases what it has taken of the visitor's limit, once", async () => {
    const now = () => new Date("2026-01-01T12:00:00Z");
    const { client, threadId } = await openThread({ clock: now, project: { limits: { messagesPerMinute: 3 } } });
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const answer = (await client.messages(threadId)).at(-1);
    expect(await refusalOf(await client.ask(threadId, { id: answer?.id ?? "" }))).toBe("422 unprocessable");
    for (const id of ["q2", "q3"]) await eventsOf(await client.ask(threadId, { id }));
    expect(await refusalOf(await client.ask(threadId, { id: "q4" }))).toBe("429 rate_limited");
  });
});

describe("a question that is answered", () => {
  it("reads only as many of the earlier messages as a model may get, each once", async () => {
    const { client, threadId, model, calls } = await openRecorded({
      project: { limits: { contextChars: 150_000, messagesPerMinute: null } },
    });
    for (let n = 1; n <= 9; n += 1) {
      const response = await client.ask(threadId, { id: `q${n}`, content: "я".repeat(90_000) });
      await model.asked(n);
      finish(model);
      await eventsOf(response);
    }
    calls.length = 0;
    await client.ask(threadId, { id: "last", content: "Итак?" });
    await model.asked(10);
    expect(model.requests[9]?.history.map(({ id }) => id)).toEqual(["q9", expect.any(String), "last"]);
    expect(reads(calls)).toEqual(["messages.tree", "messages.read"]);
  });
});
