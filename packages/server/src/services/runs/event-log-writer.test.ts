import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LoggedEvent } from "../../storage/storage.ts";
import { StorageUnavailableError } from "../../storage/storage.ts";
import { createEventLogWriter } from "./event-log-writer.ts";
import type { EventLogWriter } from "./event-log-writer.ts";
import type { Log } from "../log.ts";
import { silentLog } from "../log.ts";

const event = (seq: number, runId = "r"): LoggedEvent => ({ runId, seq, data: `${seq}` });

/** An event storage that records what was appended and when, and then behaves as the test says. */
function storageOf(append: (batch: readonly LoggedEvent[]) => Promise<void> = () => Promise.resolve()) {
  const batches: (readonly LoggedEvent[])[] = [];
  const starts: number[] = [];
  const followed = new Set<string>();
  const events = {
    flushMs: (runId: string) => (followed.has(runId) ? 40 : 240),
    async append(batch: readonly LoggedEvent[]) {
      starts.push(performance.now());
      await append(batch);
      batches.push(batch);
    },
  };
  return { events, batches, starts, followed };
}

const away = () => Promise.reject(new StorageUnavailableError("away"));

describe("the event log writer", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("appends events that arrive together in one batch, in order", async () => {
    const { events, batches } = storageOf();
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    for (const seq of [1, 2, 3]) eventLog.add(event(seq));
    expect(eventLog.backlog).toMatchObject({ events: 3 });
    await vi.advanceTimersByTimeAsync(240);
    expect(batches).toEqual([[event(1), event(2), event(3)]]);
    expect([eventLog.unstored("r"), eventLog.backlog]).toEqual([[], { events: 0, bytes: 0 }]);
  });

  it("waits between two batches while an event arrives every millisecond", async () => {
    const { events, starts, batches } = storageOf(() => new Promise((resolve) => setTimeout(resolve, 8)));
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    for (let ms = 1; ms <= 2_400; ms += 1) {
      eventLog.add(event(ms, `run${ms % 100}`));
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(starts.length).toBeLessThanOrEqual(10);
    expect(batches.flat().length).toBeGreaterThan(2_000);
  });

  it("lets the event loop turn between two batches of 125 runs, and serves waiting requests for 20 ms", async () => {
    const turns: string[] = [];
    const { events, batches, starts } = storageOf(async () => {
      turns.push("batch");
      setImmediate(() => turns.push("turn"));
    });
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    for (let n = 0; n < 300; n += 1) eventLog.add(event(1, `run${n}`));
    await vi.advanceTimersByTimeAsync(240);
    for (let step = 0; step < 2; step += 1) {
      await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(batches.map(({ length }) => length)).toEqual([125, 125, 50]);
    expect(batches.flat().map(({ runId }) => runId)).toEqual(Array.from({ length: 300 }, (_, n) => `run${n}`));
    expect(turns.slice(0, 5)).toEqual(["batch", "turn", "batch", "turn", "batch"]);
    expect(starts.map((start) => start - (starts[0] ?? 0))).toEqual([0, 20, 40]);
    expect(eventLog.backlog).toEqual({ events: 0, bytes: 0 });
  });

  it("appends followed runs before those that wait for their batch", async () => {
    const { events, batches, followed } = storageOf();
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    for (let n = 0; n < 300; n += 1) eventLog.add(event(1, `run${n}`));
    await vi.advanceTimersByTimeAsync(239);
    followed.add("late");
    eventLog.add(event(1, "late"));
    await vi.advanceTimersByTimeAsync(1);
    expect(batches.map((batch) => [batch.length, batch[0]?.runId])).toEqual([[125, "late"]]);
    await vi.advanceTimersByTimeAsync(40);
    expect(batches.map((batch) => [batch.length, batch[0]?.runId]).slice(1)).toEqual([
      [125, "run124"],
      [51, "run249"],
    ]);
  });

  it("appends the events of each run in order while they arrive between the batches", async () => {
    const { events, batches } = storageOf();
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    const runIds = Array.from({ length: 300 }, (_, n) => `run${n}`);
    for (let seq = 1; seq <= 60; seq += 1) {
      for (const runId of runIds) eventLog.add(event(seq, runId));
      await vi.advanceTimersByTimeAsync(13);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    const appended = Map.groupBy(batches.flat(), ({ runId }) => runId);
    const inOrder = Array.from({ length: 60 }, (_, index) => index + 1);
    expect(
      runIds.filter(
        (runId) =>
          appended
            .get(runId)
            ?.map(({ seq }) => seq)
            .join() !== inOrder.join(),
      ),
    ).toEqual([]);
  });

  it("appends a followed run sooner than the others", async () => {
    const { events, batches, followed } = storageOf();
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    eventLog.add(event(1, "alone"));
    eventLog.add(event(1, "followed"));
    followed.add("followed");
    eventLog.add(event(2, "followed"));
    await vi.advanceTimersByTimeAsync(40);
    expect(batches).toEqual([[event(1, "followed"), event(2, "followed")]]);
    await vi.advanceTimersByTimeAsync(200);
    expect(batches.slice(1)).toEqual([[event(1, "alone")]]);
  });

  it("appends one batch at a time, and knows which events may not be stored yet", async () => {
    const held = Promise.withResolvers<void>();
    const { events, starts, batches } = storageOf(() => held.promise);
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    eventLog.add(event(1));
    await vi.advanceTimersByTimeAsync(240);
    eventLog.add(event(2));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([starts.length, eventLog.unstored("r")]).toEqual([1, [event(1), event(2)]]);
    held.resolve();
    await vi.advanceTimersByTimeAsync(240);
    expect(batches).toEqual([[event(1)], [event(2)]]);
  });

  it("appends all pending events after an outage of the database", async () => {
    let isAway = true;
    const { events, batches } = storageOf(() => (isAway ? away() : Promise.resolve()));
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    eventLog.add(event(1));
    await vi.advanceTimersByTimeAsync(120_000);
    eventLog.add(event(2));
    isAway = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(batches).toEqual([[event(1), event(2)]]);
    expect(eventLog.unstored("r")).toEqual([]);
  });

  it("abandons the log of the run whose events the database refuses, logs it once, and appends the others", async () => {
    const refuse = (batch: readonly LoggedEvent[]) =>
      batch.some(({ runId }) => runId === "run5") ? Promise.reject(new Error("no such thing")) : Promise.resolve();
    const { events, batches } = storageOf(refuse);
    const errors: unknown[] = [];
    const eventLog = createEventLogWriter({ events, logger: watched(errors) });
    for (let n = 0; n < 8; n += 1) eventLog.add(event(1, `run${n}`));
    await vi.advanceTimersByTimeAsync(240);
    for (let n = 0; n < 8; n += 1) eventLog.add(event(2, `run${n}`));
    await vi.advanceTimersByTimeAsync(240);
    expect(batches.flat().map(({ runId, seq }) => `${runId} ${seq}`)).toEqual(
      [1, 2].flatMap((seq) => [0, 1, 2, 3, 4, 6, 7].map((n) => `run${n} ${seq}`)),
    );
    expect(errors).toMatchObject([{ runId: "run5", error: { message: "no such thing" } }]);
    expect([eventLog.isBroken("run5"), eventLog.isBroken("run4")]).toEqual([true, false]);
  });

  it("abandons the oldest run's log beyond its limit of bytes while the database is unavailable", async () => {
    const { events } = storageOf(away);
    const errors: unknown[] = [];
    const eventLog: EventLogWriter = createEventLogWriter({ events, logger: watched(errors), maxBytes: 1_000 });
    for (let seq = 1; seq <= 4; seq += 1) for (const run of ["a", "b", "c"]) eventLog.add(event(seq, run));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(errors).toEqual([{ runId: "a" }]);
    expect(eventLog.backlog.bytes).toBeLessThanOrEqual(1_000);
    expect([eventLog.unstored("a"), eventLog.unstored("b").length]).toEqual([[], 4]);
  });

  it("abandons no more logs than are beyond its limit", async () => {
    const { events } = storageOf(away);
    const errors: unknown[] = [];
    const eventLog = createEventLogWriter({ events, logger: watched(errors), maxBytes: 202 });
    for (const run of ["a", "b", "c"]) eventLog.add(event(1, run));
    expect(errors).toEqual([{ runId: "a" }]);
    expect(eventLog.backlog).toEqual({ events: 2, bytes: 202 });
  });

  it("appends nothing after it was stopped", async () => {
    const { events, starts } = storageOf();
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    eventLog.add(event(1));
    eventLog.stop();
    eventLog.add(event(2));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(starts).toEqual([]);
  });

  it("appends nothing of a closed run, also when a batch with it has failed", async () => {
    const held = Promise.withResolvers<void>();
    let calls = 0;
    const { events, batches } = storageOf(() => ((calls += 1) === 1 ? held.promise : Promise.resolve()));
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    eventLog.add(event(1, "over"));
    eventLog.add(event(1, "other"));
    await vi.advanceTimersByTimeAsync(240);
    eventLog.close("over");
    held.reject(new StorageUnavailableError("away"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(batches).toEqual([[event(1, "other")]]);
    expect(eventLog.backlog).toEqual({ events: 0, bytes: 0 });
  });

  it("counts the events of a run once that is closed while they are being stored", async () => {
    const held = Promise.withResolvers<void>();
    const { events } = storageOf(() => held.promise);
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    eventLog.add(event(1));
    await vi.advanceTimersByTimeAsync(240);
    eventLog.close("r");
    held.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(eventLog.backlog).toEqual({ events: 0, bytes: 0 });
  });

  it("retries after 100 ms, then after twice as long each time, and after at most two seconds", async () => {
    const { events, starts } = storageOf(away);
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    eventLog.add(event(1));
    await vi.advanceTimersByTimeAsync(9_000);
    eventLog.stop();
    const pauses = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(pauses.slice(0, 7)).toEqual([100, 200, 400, 800, 1600, 2000, 2000]);
  });

  it("continues after an append that failed when the last run had ended meanwhile", async () => {
    const held = Promise.withResolvers<void>();
    const { events, batches, starts } = storageOf(() => (starts.length === 1 ? held.promise : Promise.resolve()));
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    eventLog.add(event(1, "over"));
    await vi.advanceTimersByTimeAsync(240);
    eventLog.close("over");
    held.reject(new StorageUnavailableError("away"));
    await vi.advanceTimersByTimeAsync(60_000);
    for (let seq = 1; seq <= 50; seq += 1) {
      eventLog.add(event(seq, "next"));
      await vi.advanceTimersByTimeAsync(40);
    }
    await vi.advanceTimersByTimeAsync(240);
    expect(batches.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it("appends events that arrive during the wait after a failed append, no sooner than its retry", async () => {
    let isAway = true;
    const { events, batches, starts } = storageOf(() => (isAway ? away() : Promise.resolve()));
    const lines: string[] = [];
    const logger: Log = { ...silentLog, info: (_, text) => lines.push(text), warn: (_, text) => lines.push(text) };
    const eventLog = createEventLogWriter({ events, logger });
    eventLog.add(event(1, "over"));
    await vi.advanceTimersByTimeAsync(240);
    eventLog.close("over");
    await vi.advanceTimersByTimeAsync(10_000);
    eventLog.add(event(1, "next"));
    await vi.advanceTimersByTimeAsync(10_000);
    const tries = starts.length;
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(20);
    expect(lines).toEqual(["events cannot be stored; they are retried"]);
    isAway = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(batches).toEqual([[event(1, "next")]]);
    expect(lines.slice(1)).toEqual(["events can be stored again"]);
  });

  it("starts no second append while one hangs, however many runs come and end, and loses none of the others", async () => {
    const held = Promise.withResolvers<void>();
    const { events, batches, starts } = storageOf(() => (starts.length === 1 ? held.promise : Promise.resolve()));
    const eventLog = createEventLogWriter({ events, logger: silentLog });
    for (let n = 0; n < 100; n += 1) {
      eventLog.add(event(1, `run${n}`));
      await vi.advanceTimersByTimeAsync(300);
      if (n % 2 === 0) eventLog.close(`run${n}`);
    }
    expect(starts).toHaveLength(1);
    held.reject(new StorageUnavailableError("away"));
    await vi.advanceTimersByTimeAsync(1_000);
    const odd = Array.from({ length: 50 }, (_, n) => `run${n * 2 + 1}`);
    expect(batches.flat().map(({ runId }) => runId)).toEqual(odd);
    expect(eventLog.backlog).toEqual({ events: 0, bytes: 0 });
  });
});

/** A logger that records the runs of its errors, and what caused them. */
function watched(errors: unknown[]): Log {
  return { ...silentLog, error: ({ runId, error }) => errors.push({ runId, error }) };
}
