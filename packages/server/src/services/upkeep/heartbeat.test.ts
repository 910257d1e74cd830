import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Storage, StoredRun } from "../../storage/storage.ts";
import { StorageUnavailableError } from "../../storage/storage.ts";
import { ActiveRun } from "../runs/active-run.ts";
import { createEventLogWriter } from "../runs/event-log-writer.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { Log } from "../log.ts";
import { silentLog } from "../log.ts";
import { startRecovery } from "./recovery.ts";

const timings = { heartbeatMs: 2_000, staleMs: 7_000 };

/** A test storage whose `runs` records the time of each call, and then behaves as the test says. */
function open({ isAway = false } = {}) {
  const start = performance.now();
  const calls: string[] = [];
  const record = (name: string) => calls.push(`${name} ${Math.round((performance.now() - start) / 100) / 10}`);
  const behaviour = {
    heartbeat: async (): Promise<readonly string[]> => (isAway ? away() : []),
    interrupt: async (): Promise<readonly StoredRun[]> => [],
    interruptStale: async (): Promise<readonly StoredRun[]> => [],
  };
  const unused = (): never => {
    throw new Error("neither the heartbeat nor recovery needs it");
  };
  const runs: Storage["runs"] = {
    begin: unused,
    checkpoint: unused,
    end: unused,
    ownerOf: unused,
    findRunning: unused,
    findEnd: unused,
    standing: unused,
    countRunning: unused,
    forget: unused,
    heartbeat: async () => {
      record("beat");
      return behaviour.heartbeat();
    },
    interrupt: async (ids) => {
      record(`interrupt ${ids.join()}`);
      return behaviour.interrupt();
    },
    interruptStale: async () => {
      record("recover");
      return behaviour.interruptStale();
    },
  };
  const active = new Map<string, ActiveRun>();
  const events = { append: () => Promise.resolve(), flushMs: () => 480 };
  const eventLog = createEventLogWriter({ events, logger: silentLog });
  const addRun = (runId: string, { isBegun }: { readonly isBegun: boolean }): ActiveRun => {
    const record = { runId, threadId: "t", questionId: "q", answerId: "a", instanceId: "here" };
    const run = new ActiveRun(record, { projectId: "shop", visitorId: "anna" }, eventLog);
    active.set(runId, run);
    if (isBegun) run.append({ type: "start", messageId: "a" });
    return run;
  };
  const reported: unknown[] = [];
  const logger: Log = { ...silentLog, warn: ({ runId }) => runId !== undefined && reported.push(runId) };
  const options = { storage: { runs }, clock: () => new Date(), logger, timings };
  const activeRuns = {
    find: (runId: string) => active.get(runId),
    begun: () => [...active.values()].filter(({ hasBegun }) => hasBegun),
  };
  const heartbeat = startHeartbeat({ ...options, activeRuns, instanceId: "here" });
  const stopRecovery = startRecovery({ ...options, heartbeat });
  const timesOf = (name: string) =>
    calls.filter((call) => call.startsWith(name)).map((call) => Number(call.split(" ").at(-1)));
  const stop = () => {
    heartbeat.stop();
    stopRecovery();
  };
  return { calls, behaviour, timesOf, reported, addRun, stop };
}

const never = () => new Promise<never>(() => undefined);
const away = () => Promise.reject(new StorageUnavailableError("away"));
/** The longest gap between two consecutive times. */
const gapOf = (times: readonly number[]) =>
  Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the heartbeat", () => {
  it.each(["interruptStale", "interrupt"] as const)(
    "continues while `%s` hangs, which is not called again",
    async (what) => {
      const { behaviour, timesOf, calls } = open();
      behaviour[what] = never;
      behaviour.heartbeat = async () => ["orphan"];
      await vi.advanceTimersByTimeAsync(60_000);
      expect(timesOf("beat")).toHaveLength(31);
      expect(gapOf(timesOf("beat"))).toBe(2);
      expect(calls.filter((call) => call.startsWith(what === "interrupt" ? "interrupt" : "recover"))).toHaveLength(1);
    },
  );

  it("is not sent a second time while it hangs, and is sent at once when it has failed", async () => {
    const { behaviour, timesOf } = open();
    await vi.advanceTimersByTimeAsync(1_000);
    let fail: (error: Error) => void = () => undefined;
    behaviour.heartbeat = () => new Promise((_, reject) => (fail = reject));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(timesOf("beat")).toEqual([0, 2]);
    behaviour.heartbeat = async () => [];
    fail(new StorageUnavailableError("Query read timeout"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(timesOf("beat").slice(2)).toEqual([31.1, 33.1, 35.1]);
  });

  it("lets an instance consider others dead once it has reached the database for staleMs, after an outage twice as long", async () => {
    const { behaviour, timesOf } = open();
    await vi.advanceTimersByTimeAsync(20_000);
    const first = timesOf("recover");
    expect(first[0]).toBeGreaterThanOrEqual(7);
    expect(first[0]).toBeLessThan(8);
    behaviour.heartbeat = away;
    await vi.advanceTimersByTimeAsync(60_000);
    // It notices the outage when its own last heartbeat is as old as a stale one.
    expect(timesOf("recover").at(-1)).toBeLessThanOrEqual(28);
    behaviour.heartbeat = async () => [];
    await vi.advanceTimersByTimeAsync(40_000);
    const backAt = timesOf("beat").find((time) => time > 80) ?? 0;
    const next = timesOf("recover").find((time) => time > 80) ?? 0;
    expect(next - backAt).toBeGreaterThanOrEqual(14);
    expect(next - backAt).toBeLessThan(17);
  });

  it("lets an instance that has never reached the database consider nobody dead", async () => {
    const { timesOf } = open({ isAway: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(timesOf("recover")).toEqual([]);
  });

  it("stops the runs that the database no longer has, but none that began during the query", async () => {
    const { behaviour, addRun, reported } = open();
    await vi.advanceTimersByTimeAsync(1_000);
    const [kept, purged, ending] = ["kept", "purged", "ending"].map((id) => addRun(id, { isBegun: true }));
    const beingStored = addRun("being stored", { isBegun: false });
    ending?.beginEnd();
    let answer: (running: readonly string[]) => void = () => undefined;
    behaviour.heartbeat = () => new Promise((resolve) => (answer = resolve));
    await vi.advanceTimersByTimeAsync(1_000);
    const during = addRun("during", { isBegun: true });
    answer(["kept"]);
    await vi.advanceTimersByTimeAsync(0);
    const aborted = [kept, purged, beingStored, during].map((run) => run?.signal.aborted);
    expect(aborted).toEqual([false, true, false, false]);
    expect(await purged?.stopped).toEqual({ type: "lost" });
    expect(reported).toEqual(["purged"]);
  });

  it("interrupts its own runs that it is not writing", async () => {
    const { behaviour, addRun, calls } = open();
    addRun("active", { isBegun: true });
    behaviour.heartbeat = async () => ["active", "orphan"];
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls).toContain("interrupt orphan 2");
  });
});

describe("recovery", () => {
  it("continues at once while there is more to interrupt, and otherwise runs with each heartbeat", async () => {
    const { behaviour, timesOf } = open();
    const record = { runId: "r", threadId: "t", questionId: "q", answerId: "a", instanceId: "dead" };
    const ended = { ...record, status: "incomplete", startedAt: "", checkpointSeq: 0 } as const;
    let left = 5;
    behaviour.interruptStale = async () => ((left -= 1) >= 0 ? [ended] : []);
    await vi.advanceTimersByTimeAsync(11_500);
    expect(timesOf("recover").map(Math.floor)).toEqual([7, 7, 7, 7, 7, 7, 9, 11]);
  });

  it("retries after a failure", async () => {
    const { behaviour, timesOf } = open();
    behaviour.interruptStale = away;
    await vi.advanceTimersByTimeAsync(11_500);
    expect(timesOf("recover").map(Math.floor)).toEqual([7, 9, 11]);
  });

  it("ends with the server", async () => {
    const { calls, stop } = open();
    await vi.advanceTimersByTimeAsync(10_000);
    stop();
    const before = calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(before);
  });
});
