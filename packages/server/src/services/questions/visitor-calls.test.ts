import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSqliteStorage } from "../../storage/sqlite.ts";
import { StorageUnavailableError } from "../../storage/storage.ts";
import type { Storage } from "../../storage/storage.ts";
import { ActiveRun } from "../runs/active-run.ts";
import { createEventLogWriter } from "../runs/event-log-writer.ts";
import { silentLog } from "../log.ts";
import { readyProjects } from "../projects/ready-projects.ts";
import type { CallFigures, RunMetrics } from "../run-metrics.ts";
import { createVisitorCalls } from "./visitor-calls.ts";
import { WAIT_RETRY_MS } from "../timings.ts";

const owner = { projectId: "default", visitorId: "anna" };
const call = { toolCallId: "c1", toolName: "buy", input: {} };
const at = "2026-11-22T09:00:00.000Z";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A running run, and the calls that wait in it. `away` makes the database fail. */
async function openRun(toolWaitMs: number | null = 120_000) {
  const sqlite = await openSqliteStorage({ path: ":memory:" });
  let away = false;
  const guarded: Storage["awaitedCalls"] = new Proxy(sqlite.awaitedCalls, {
    get:
      (target, name) =>
      async (...args: unknown[]) => {
        if (away) throw new StorageUnavailableError("The database is away");
        return Reflect.apply(Reflect.get(target, name), target, args) as unknown;
      },
  });
  const storage = { ...sqlite, awaitedCalls: guarded };
  const record = { runId: "run1", threadId: "t1", questionId: "q1", answerId: "a1", instanceId: "here" };
  await storage.threads.create(owner, { threadId: "t1", updatedAt: at });
  const question = { id: "q1", role: "user", content: "Купи", parentId: null } as const;
  await storage.runs.begin(owner, record, question, { regenerate: false, at });
  const run = new ActiveRun(record, owner, createEventLogWriter({ events: storage.events, logger: silentLog }));
  const ended: CallFigures[] = [];
  const metrics = { callEnded: (figures: CallFigures) => ended.push(figures) } as Partial<RunMetrics> as RunMetrics;
  const calls = createVisitorCalls({
    storage,
    logger: silentLog,
    metrics,
    clock: () => new Date(at),
    projects: new Map(),
  });
  const model = { id: "m", name: "M", run: neverRun, title: async () => undefined };
  const project = readyProjects({ default: { models: [model], limits: { toolWaitMs } } }).get("default");
  if (!project) throw new Error("There is one project");
  return {
    run,
    calls,
    visitor: calls.visitorOf(run, project, []),
    ended,
    storage,
    setAway: (to: boolean) => (away = to),
  };
}

async function* neverRun(): AsyncGenerator<never, never, undefined> {
  yield* [];
  throw new Error("No model is asked");
}

/** Lets the promises of the database continue: those of SQLite take turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("a tool call that waits for the visitor", () => {
  it("waits for at most a day, so that a visitor who never comes back blocks no run", async () => {
    for (const toolWaitMs of [null, 30 * 86_400_000]) {
      const { calls, visitor } = await openRun(toolWaitMs);
      const wait = visitor.approve(call);
      await wait.next();
      const decided = wait.next();
      await vi.advanceTimersByTimeAsync(86_400_000 - 1);
      await settled();
      expect(calls.waiting).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect((await decided).value).toEqual({ type: "tool-output-denied", toolCallId: "c1" });
      expect((await wait.next()).value).toEqual({ type: "expired", waitedMs: 86_400_000 });
    }
  });

  it("leaves no timer when its run ends before the database answers", async () => {
    const { run, calls, visitor, setAway } = await openRun();
    const wait = visitor.approve(call);
    await wait.next();
    await settled();
    setAway(true);
    vi.advanceTimersByTime(120_000);
    calls.end(run);
    await settled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("times out exactly when the project says so", async () => {
    const { run, calls, visitor, ended } = await openRun();
    const wait = visitor.approve(call);
    await wait.next();
    const decided = wait.next();
    await vi.advanceTimersByTimeAsync(119_999);
    await settled();
    expect([calls.waiting, run.signs.isPaused, ended]).toEqual([1, true, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await decided).toEqual({ done: false, value: { type: "tool-output-denied", toolCallId: "c1" } });
    expect(await wait.next()).toEqual({ done: true, value: { type: "expired", waitedMs: 120_000 } });
    expect([calls.waiting, run.signs.isPaused, ended]).toEqual([
      0,
      false,
      [{ projectId: "default", kind: "approval", outcome: "expired" }],
    ]);
  });

  it("is requested after it is stored, so that no answer misses it", async () => {
    const { visitor, setAway, storage } = await openRun();
    setAway(true);
    const asked = visitor.runOnPage(call).next();
    await settled();
    expect(await storage.signals.publish({ type: "events", runId: "run1" })).toBeUndefined();
    setAway(false);
    vi.useRealTimers();
    expect(await asked).toEqual({ done: false, value: { type: "data-tool-request", ...call } });
    expect(await storage.awaitedCalls.find({ runId: "run1", toolCallId: "c1" })).toMatchObject({ kind: "page" });
  });

  it("is looked up again while the database is unavailable, also after its time", async () => {
    const { calls, visitor, setAway, storage } = await openRun();
    const wait = visitor.runOnPage(call);
    await wait.next();
    const decided = wait.next();
    await settled();
    setAway(true);
    await vi.advanceTimersByTimeAsync(120_000 + 3 * WAIT_RETRY_MS);
    await settled();
    expect(calls.waiting).toBe(1);
    setAway(false);
    // An answer that arrived before the time-out could be stored counts.
    await storage.awaitedCalls.decide({ runId: "run1", toolCallId: "c1" }, { type: "output", output: 7 }, { at });
    await vi.advanceTimersByTimeAsync(WAIT_RETRY_MS);
    expect(await decided).toEqual({ done: true, value: { type: "output", output: 7 } });
  });

  it("ends when its run ends, and nothing counts afterwards", async () => {
    const { run, calls, visitor, ended, storage } = await openRun();
    const wait = visitor.approve(call);
    await wait.next();
    const decided = wait.next();
    run.beginEnd();
    calls.end(run);
    await expect(decided).rejects.toThrow("The run is over");
    await settled();
    expect(await storage.awaitedCalls.find({ runId: "run1", toolCallId: "c1" })).toMatchObject({
      decided: { decision: { type: "cancelled" } },
    });
    await expect(calls.answer(owner, "t1", { toolCallId: "c1", approved: true })).rejects.toMatchObject({
      code: "already_answered",
    });
    await expect(visitor.approve({ ...call, toolCallId: "c2" }).next()).rejects.toThrow("The run is over");
    expect([calls.waiting, run.signs.isPaused, vi.getTimerCount()]).toEqual([0, false, 0]);
    expect(ended).toEqual([{ projectId: "default", kind: "approval", outcome: "cancelled" }]);
  });

  it("accepts an answer that arrived before its request was sent", async () => {
    const { visitor, storage } = await openRun();
    const key = { runId: "run1", toolCallId: "c1" };
    await storage.awaitedCalls.add({ ...key, toolName: "buy", kind: "page", askedAt: at });
    await storage.awaitedCalls.decide(key, { type: "output", output: 7 }, { at });
    const wait = visitor.runOnPage(call);
    await wait.next();
    expect(await wait.next()).toEqual({ done: true, value: { type: "output", output: 7 } });
  });

  it("drops its output from the table once the answer contains it", async () => {
    const { visitor, calls, storage } = await openRun();
    const wait = visitor.runOnPage(call);
    await wait.next();
    await calls.answer(owner, "t1", { toolCallId: "c1", output: "secret" });
    expect(await wait.next()).toEqual({ done: true, value: { type: "output", output: "secret" } });
    await settled();
    expect(await storage.awaitedCalls.find({ runId: "run1", toolCallId: "c1" })).toMatchObject({
      decided: { decision: { type: "output", output: null }, visitorId: "anna" },
    });
  });
});
