import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSqliteStorage } from "../../storage/sqlite.ts";
import { ActiveRun } from "./active-run.ts";
import { createActiveRuns } from "./active-runs.ts";
import { createEventLogWriter } from "./event-log-writer.ts";
import { silentLog } from "../log.ts";
import { defaultTimings } from "../timings.ts";

/**
 * `count` active runs that have each written a word, and the ids of the runs whose checkpoint was sent to the database.
 *
 * @param answered the database's reaction to each of them
 */
async function openRuns(count: number, answered: () => Promise<void> = () => Promise.resolve()) {
  const storage = await openSqliteStorage({ path: ":memory:" });
  const stored: string[] = [];
  const checkpoint = (runId: string) => {
    stored.push(runId);
    return answered();
  };
  const watched = { ...storage, runs: { ...storage.runs, checkpoint } };
  const eventLog = createEventLogWriter({ events: storage.events, logger: silentLog });
  const options = { storage: watched, logger: silentLog, clock: () => new Date(), maxRuns: 100 };
  const runs = createActiveRuns({ ...options, timings: { ...defaultTimings, graceMs: 0 } });
  const newRun = (runId: string) => {
    const record = { runId, threadId: `t of ${runId}`, questionId: "q", answerId: "a", instanceId: "here" };
    return new ActiveRun(record, { projectId: "shop", visitorId: "anna" }, eventLog);
  };
  const active = Array.from({ length: count }, (_, n) => newRun(`run${n}`));
  for (const run of active) {
    runs.add(run, null);
    run.append({ type: "text-delta", id: "t", delta: "Слово" });
  }
  /** Adds a run whose model was not asked yet. */
  const silent = (runId: string) => {
    const run = newRun(runId);
    runs.add(run, 60_000);
    return run;
  };
  return { stored, active, runs, silent };
}

describe("a run whose model is silent", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function openRun() {
    const { active, runs } = await openRuns(1);
    const [run] = active;
    if (!run) throw new Error("There is one run");
    runs.add(run, 60_000);
    return run;
  }

  it("does not include one whose question is still being stored, however long that takes", async () => {
    const { silent } = await openRuns(1);
    const run = silent("late");
    vi.advanceTimersByTime(3_600_000);
    expect(run.signal.aborted).toBe(false);
    run.append({ type: "start", messageId: "a" });
    vi.advanceTimersByTime(60_000);
    expect(run.signal.aborted).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(run.signal.aborted).toBe(true);
  });

  it("is stopped, but not while a tool call waits for the visitor", async () => {
    const run = await openRun();
    const [first, second] = [run.signs.pause(), run.signs.pause()];
    vi.advanceTimersByTime(3_600_000);
    first();
    vi.advanceTimersByTime(3_600_000);
    expect(run.signal.aborted).toBe(false);
    second();
    vi.advanceTimersByTime(60_000);
    expect(run.signal.aborted).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(run.signal.aborted).toBe(true);
  });

  it("is not stopped while its upstream shows signs of life without an event", async () => {
    const run = await openRun();
    for (let minute = 0; minute < 5; minute += 1) {
      vi.advanceTimersByTime(59_000);
      run.signs.note();
    }
    expect(run.signal.aborted).toBe(false);
    vi.advanceTimersByTime(62_000);
    expect(run.signal.aborted).toBe(true);
  });

  it("has more time while a tool is running, also when another one has finished", async () => {
    const run = await openRun();
    for (const toolCallId of ["c1", "c2"]) {
      run.append({ type: "tool-input-available", toolCallId, toolName: "search", input: {} });
    }
    run.append({ type: "tool-output-available", toolCallId: "c2", output: 1 });
    vi.advanceTimersByTime(300_000);
    expect(run.signal.aborted).toBe(false);
    run.append({ type: "tool-output-denied", toolCallId: "c1" });
    vi.advanceTimersByTime(62_000);
    expect(run.signal.aborted).toBe(true);
  });
});

describe("checkpoints of runs that began together", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("are spread over several checks, the first of each run before the second of any", async () => {
    const { stored } = await openRuns(20);
    await vi.advanceTimersByTimeAsync(defaultTimings.checkpointMs);
    expect(stored).toHaveLength(8);
    await vi.advanceTimersByTimeAsync(500);
    expect(stored).toHaveLength(16);
    await vi.advanceTimersByTimeAsync(500);
    expect(stored.toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `run${n}`).toSorted());
  });

  it("are skipped for a run without a new event", async () => {
    const { stored, active } = await openRuns(2);
    await vi.advanceTimersByTimeAsync(defaultTimings.checkpointMs);
    active[1]?.append({ type: "text-delta", id: "t", delta: " ещё" });
    await vi.advanceTimersByTimeAsync(defaultTimings.checkpointMs);
    expect(stored).toEqual(["run0", "run1", "run1"]);
  });

  it("wait for a database that does not answer: at most eight of them, and one per run", async () => {
    const answers: (() => void)[] = [];
    const { stored, active } = await openRuns(20, () => new Promise((resolve) => void answers.push(resolve)));
    for (let n = 0; n < 10; n += 1) {
      await vi.advanceTimersByTimeAsync(defaultTimings.checkpointMs);
      for (const run of active) run.append({ type: "text-delta", id: "t", delta: " ещё" });
    }
    expect(new Set(stored).size).toBe(8);
    expect(stored).toHaveLength(8);
    for (const answer of answers) answer();
    await vi.advanceTimersByTimeAsync(500);
    expect(new Set(stored).size).toBe(16);
    expect(stored).toHaveLength(16);
  });

  it("are retried after the database has refused them, although the run has no new event", async () => {
    let isAway = true;
    const { stored } = await openRuns(1, async () => {
      if (!isAway) return;
      isAway = false;
      throw new Error("away");
    });
    await vi.advanceTimersByTimeAsync(3 * defaultTimings.checkpointMs);
    expect(stored).toEqual(["run0", "run0"]);
  });
});

describe("the active runs", () => {
  it("are waited for at the close, down to the last one and no longer", async () => {
    const { active, runs } = await openRuns(2);
    const closed = runs.close({ drainMs: 0, graceMs: 30_000 });
    const [first, last] = active;
    if (!first || !last) throw new Error("There are two runs");
    runs.remove(first);
    await new Promise(setImmediate);
    expect([last.signal.aborted, runs.closing.aborted]).toEqual([false, false]);
    runs.remove(last);
    await closed;
    expect([last.signal.aborted, runs.closed.aborted]).toEqual([false, true]);
  });

  it("do not keep the process running by their checks", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    await openRuns(0);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
