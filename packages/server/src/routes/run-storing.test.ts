import { textOf } from "@nitka/protocol/message";
import { afterEach, describe, expect, it, vi } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { eventsOf, refusalOf, tap } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { createScriptedModel, saying } from "../model/testing/scripted-model.ts";
import type { ScriptLine } from "../model/testing/scripted-model.ts";
import { CANCEL_MS, defaultTimings, END_BACKOFF } from "../services/timings.ts";
import { postgresForFile } from "../storage/contract/postgres-for-file.contract.ts";
import { openPostgresStorage } from "../storage/postgres.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { StorageUnavailableError } from "../storage/storage.ts";
import type { Storage } from "../storage/storage.ts";

const unlimited = {
  messagesPerMinute: null,
  threadsPerMinute: null,
  requestsPerMinute: null,
  runsAtOnce: null,
  addressRunsAtOnce: null,
  addressMessagesPerMinute: null,
};
const complete = { type: "finish", finishReason: "stop" };

/** Twenty words per second, for longer than the test takes. */
const talk: readonly ScriptLine[] = Array.from({ length: 600 }, (_, n) => ({
  at: n * 50,
  event: { type: "text-delta", id: "t1", delta: `${n} ` },
}));

describe("an answer's end", () => {
  const { open, openThread } = threadOpener();
  afterEach(() => void vi.useRealTimers());

  it("is stored while slow appends of a hundred other answers keep the event log busy", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    const append: Storage["events"]["append"] = async (events) => {
      await new Promise((resolve) => setTimeout(resolve, 8));
      await storage.events.append(events);
    };
    const busy: Storage = { ...storage, events: { ...storage.events, append, flushMs: () => 10 } };
    const model = createScriptedModel({
      script: ({ history }) => {
        const question = history.at(-1);
        return question && textOf(question) === "short" ? saying("Да") : talk;
      },
      title: "Разговор",
    });
    const { visitor, server } = await open({ storage: busy, model, project: { limits: unlimited } });
    const client = await visitor();
    for (let n = 0; n < 100; n += 1) tap(await client.ask(await client.newThread(), { id: `q${n}` }));
    const threadId = await client.newThread();
    const events = await eventsOf(await client.ask(threadId, { id: "q", content: "short" }));
    expect(events.slice(-2)).toEqual([complete, "[DONE]"]);
    expect((await client.messages(threadId)).at(-1)?.status).toEqual({ type: "complete" });
    await server.close();
    await storage.close();
  });

  it("is stored as not_kept without its text when the database refuses the text", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    const end: Storage["runs"]["end"] = async (runId, answer, ...rest) => {
      if (answer.content.length > 0) throw new Error("a text that no database takes");
      return storage.runs.end(runId, answer, ...rest);
    };
    const { client, threadId } = await openThread({ storage: { ...storage, runs: { ...storage.runs, end } } });
    const events = await eventsOf(await client.ask(threadId, { id: "q1" }));
    expect(events.slice(-2)).toMatchObject([{ type: "error" }, "[DONE]"]);
    expect((await client.messages(threadId)).at(-1)).toMatchObject({ content: [], status: { type: "incomplete" } });
  });

  it("is retried while the database is unavailable, after a wait that doubles and that the log reports", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    let failures = 3;
    const end: Storage["runs"]["end"] = async (...call) => {
      if ((failures -= 1) >= 0) throw new StorageUnavailableError("away");
      return storage.runs.end(...call);
    };
    const { client, threadId, log } = await openThread({ storage: { ...storage, runs: { ...storage.runs, end } } });
    expect((await eventsOf(await client.ask(threadId, { id: "q1" }))).slice(-2)).toEqual([complete, "[DONE]"]);
    const waits = log.flatMap(({ fields }) => fields["retryMs"] ?? []);
    expect(waits).toEqual([100, 200, 400]);
    expect((await client.messages(threadId)).at(-1)?.status).toEqual({ type: "complete" });
  });

  it("is not read again by the instance that has stored it", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    const reads: string[] = [];
    const find: Storage["messages"]["find"] = (owner, threadId, messageId) => {
      reads.push(messageId);
      return storage.messages.find(owner, threadId, messageId);
    };
    const { client, threadId } = await openThread({ storage: { ...storage, messages: { ...storage.messages, find } } });
    expect((await eventsOf(await client.ask(threadId, { id: "q1" }))).slice(-2)).toEqual([complete, "[DONE]"]);
    expect(reads).toEqual([]);
  });

  it("makes a cancel fail with 503 while the database is unavailable, after the answer has stopped", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    let isAway = false;
    const end: Storage["runs"]["end"] = async (...call) => {
      if (isAway) throw new StorageUnavailableError("away");
      return storage.runs.end(...call);
    };
    const model = createHeldModel();
    const { client, threadId } = await openThread({ model, storage: { ...storage, runs: { ...storage.runs, end } } });
    const asked = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.write("Да");
    isAway = true;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const cancelled = client.post(`threads/${threadId}/run/cancel`, {});
    await vi.advanceTimersByTimeAsync(CANCEL_MS);
    expect(await refusalOf(await cancelled)).toBe("503 unavailable");
    expect(await refusalOf(await client.ask(threadId, { id: "q2" }))).toBe("409 run_in_progress");
    isAway = false;
    const events = eventsOf(asked);
    await vi.advanceTimersByTimeAsync(END_BACKOFF.lastMs + defaultTimings.writeMs);
    expect((await events).slice(-2)).toEqual([{ type: "abort", reason: "cancelled" }, "[DONE]"]);
    expect((await client.messages(threadId)).at(-1)?.status).toEqual({ type: "incomplete", reason: "cancelled" });
  });

  it("is stored for a run whose begin was stored although the database reported an error", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    let isLost = true;
    const begin: Storage["runs"]["begin"] = async (...call) => {
      const begun = await storage.runs.begin(...call);
      if (isLost) throw new StorageUnavailableError("the connection broke");
      return begun;
    };
    const runs = { ...storage.runs, begin };
    const { client, threadId } = await openThread({ storage: { ...storage, runs }, timings: { heartbeatMs: 20 } });
    expect(await refusalOf(await client.ask(threadId, { id: "q1" }))).toBe("503 unavailable");
    await eventually(async () => {
      const status = { type: "incomplete", reason: "interrupted" };
      expect((await client.messages(threadId)).at(-1)?.status).toEqual(status);
    });
    isLost = false;
    expect((await eventsOf(await client.ask(threadId, { id: "q2" }))).slice(-2)).toEqual([complete, "[DONE]"]);
  });

  it("does not block readers of a run that was stored and then failed to begin", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    const stored = Promise.withResolvers<void>();
    const joined = Promise.withResolvers<void>();
    const begin: Storage["runs"]["begin"] = async (...asked) => {
      await storage.runs.begin(...asked);
      stored.resolve();
      await joined.promise;
      throw new StorageUnavailableError("the connection broke after the commit");
    };
    const withBegin = { ...storage, runs: { ...storage.runs, begin } };
    const { client, threadId } = await openThread({ storage: withBegin, timings: { heartbeatMs: 20 } });
    const asking = client.ask(threadId, { id: "q1" });
    await stored.promise;
    const reader = tap(await client.join(threadId));
    joined.resolve();
    expect(await refusalOf(await asking)).toBe("503 unavailable");
    await expect(reader.done).rejects.toThrow("join the run again");
    await eventually(async () =>
      expect((await client.messages(threadId)).at(-1)?.status).toMatchObject({ reason: "interrupted" }),
    );
  });

  it("follows although the database was unavailable while the history was read", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    let failures = 0;
    const read: Storage["messages"]["read"] = async (...call) => {
      failures -= 1;
      if (failures >= 0) throw new StorageUnavailableError("no connection is free");
      return storage.messages.read(...call);
    };
    const { client, threadId } = await openThread({ storage: { ...storage, messages: { ...storage.messages, read } } });
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    failures = 2;
    const events = await eventsOf(await client.ask(threadId, { id: "q2" }));
    expect([failures, ...events.slice(-2)]).toEqual([-1, complete, "[DONE]"]);
  });

  describe("on Postgres", () => {
    const postgres = postgresForFile();

    it("is stored completely after a long outage, and the thread continues", async () => {
      const storage = await openPostgresStorage({ url: await postgres.current.createDatabase(), instanceId: "here" });
      const model = createHeldModel();
      const { client, threadId, server } = await openThread({
        model,
        storage,
        timings: { heartbeatMs: 200, staleMs: 700 },
      });
      const reader = tap(await client.ask(threadId, { id: "q1" }));
      await model.asked(1);
      model.write("До, ");
      await eventually(() => expect(reader.text()).toContain("До, "));
      await postgres.current.halt();
      model.write("во время, ");
      model.end();
      // Ten times `staleMs`, and longer than a stopped run waits for its end.
      await new Promise((resolve) => setTimeout(resolve, 7_000));
      expect(reader.text()).not.toContain("[DONE]");
      await postgres.current.resume();
      await reader.done;
      expect(reader.text()).toContain('"finish"');
      const answer = (await client.messages(threadId)).at(-1);
      expect([answer && textOf(answer), answer?.status]).toEqual(["До, во время, ", { type: "complete" }]);
      tap(await client.ask(threadId, { id: "q2" }));
      await model.asked(2);
      await server.close();
      await storage.close();
    });
  });
});
