import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { ActiveRun } from "./active-run.ts";
import { createActiveRuns } from "./active-runs.ts";
import { createEventLog } from "./event-log.ts";
import { silentLog } from "./log.ts";
import { defaultTimings } from "./timings.ts";

/** A registry with so many runs that have each said a word, and the ids of those whose answer was stored meanwhile. */
async function openRuns(count: number) {
  const storage = await openSqliteStorage({ path: ":memory:" });
  const stored: string[] = [];
  const checkpoint = async (runId: string) => void stored.push(runId);
  const watched = { ...storage, runs: { ...storage.runs, checkpoint } };
  const eventLog = createEventLog({ events: storage.events, log: silentLog });
  const options = { storage: watched, log: silentLog, clock: () => new Date(), maxRuns: 100 };
  const runs = createActiveRuns({ ...options, timings: { ...defaultTimings, graceMs: 0 } });
  const active = Array.from({ length: count }, (_, n) => {
    const run = { runId: `run${n}`, threadId: `t${n}`, questionId: "q", answerId: "a", instanceId: "here" };
    return new ActiveRun(run, { projectId: "shop", visitorId: "anna" }, eventLog);
  });
  for (const run of active) {
    runs.add(run, null);
    run.emit({ type: "text-delta", id: "t", delta: "Слово" });
  }
  return { stored, active };
}

describe("the checkpoints of runs that began together", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("are spread over the rounds, each run's one before any run's second", async () => {
    const { stored } = await openRuns(20);
    vi.advanceTimersByTime(defaultTimings.checkpointMs);
    expect(stored).toHaveLength(8);
    vi.advanceTimersByTime(500);
    expect(stored).toHaveLength(16);
    vi.advanceTimersByTime(500);
    expect(stored.toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `run${n}`).toSorted());
  });

  it("are left out for a run that has said nothing since its last", async () => {
    const { stored, active } = await openRuns(2);
    vi.advanceTimersByTime(defaultTimings.checkpointMs);
    active[1]?.emit({ type: "text-delta", id: "t", delta: " ещё" });
    vi.advanceTimersByTime(defaultTimings.checkpointMs);
    expect(stored).toEqual(["run0", "run1", "run1"]);
  });
});
