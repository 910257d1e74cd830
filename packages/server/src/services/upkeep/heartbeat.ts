import type { Storage, StoredRun } from "../../storage/storage.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import type { ActiveRuns } from "../runs/active-runs.ts";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";
import { BEAT_RETRY_MS, STALE_AFTER_OUTAGE } from "../timings.ts";
import type { Timings } from "../timings.ts";

export interface Heartbeat {
  /**
   * Whether this instance may take others for dead. It may when it has reached the database for `staleMs` without a gap:
   * so long every living instance had the time to store a heartbeat, also after an outage, when all of them are old.
   */
  readonly mayJudge: boolean;
  /** Whether other instances count this one among the living. */
  readonly isAlive: boolean;
  stop(): void;
}

export interface HeartbeatOptions {
  readonly storage: Pick<Storage, "runs">;
  readonly activeRuns: Pick<ActiveRuns, "find" | "begun">;
  readonly instanceId: string;
  readonly clock: () => Date;
  readonly logger: Log;
  readonly timings: Pick<Timings, "heartbeatMs" | "staleMs">;
}

/**
 * Stores this instance's heartbeat every `heartbeatMs`. Nothing else is waited for in between: an instance that is late
 * loses its runs. What the database then counts as this instance's runs is compared with its active runs: those that it
 * does not write are interrupted, and those that the database no longer has are stopped.
 */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { storage, activeRuns, instanceId, clock, logger, timings } = options;
  const { heartbeatMs, staleMs } = timings;
  let timer: NodeJS.Timeout | undefined;
  let storedAt: number | undefined;
  let judgesFrom = Number.POSITIVE_INFINITY;
  let interrupting = false;
  let stopped = false;

  async function beat(): Promise<void> {
    // Those that begin from here on may be missing in what the database returns.
    const begun = activeRuns.begun();
    const running = new Set(await storage.runs.heartbeat(instanceId));
    const now = performance.now();
    if (storedAt === undefined) judgesFrom = now + staleMs;
    else if (now - storedAt > staleMs) judgesFrom = now + STALE_AFTER_OUTAGE * staleMs;
    storedAt = now;
    stopLost(begun.filter(({ runId }) => !running.has(runId)));
    // A run is active before it is stored. One that is stored and not active was left behind by an error.
    void interrupt([...running].filter((runId) => !activeRuns.find(runId)));
  }

  /** Their threads were purged, or another instance has ended them, and its signal was lost. */
  function stopLost(lost: readonly ActiveRun[]): void {
    for (const run of lost) {
      if (run.isEnding) continue;
      logger.warn({ runId: run.runId, threadId: run.threadId }, "a run was stopped: the database no longer has it");
      run.stop({ type: "lost" });
    }
  }

  async function interrupt(orphans: readonly string[]): Promise<void> {
    if (orphans.length === 0 || interrupting) return;
    interrupting = true;
    try {
      const interrupted = await storage.runs.interrupt(orphans, clock().toISOString());
      reportInterrupted(logger, interrupted, "this process does not write it");
    } catch (error) {
      logger.warn({ error: describeError(error) }, "runs that nobody writes could not be interrupted");
    } finally {
      interrupting = false;
    }
  }

  async function beatAndSchedule(): Promise<void> {
    const begunAt = performance.now();
    try {
      await beat();
    } catch (error) {
      logger.warn({ error: describeError(error) }, "no heartbeat: the database failed");
    }
    if (stopped) return;
    // One that was late is followed at once: the time until it is stale runs from the one before.
    const nextMs = Math.max(BEAT_RETRY_MS, begunAt + heartbeatMs - performance.now());
    timer = setTimeout(() => void beatAndSchedule(), Math.min(nextMs, heartbeatMs));
    timer.unref();
  }

  function isAlive(): boolean {
    return storedAt !== undefined && performance.now() - storedAt < staleMs;
  }

  void beatAndSchedule();
  return {
    get mayJudge() {
      return performance.now() >= judgesFrom && isAlive();
    },
    get isAlive() {
      return isAlive();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

export function reportInterrupted(logger: Log, interrupted: readonly StoredRun[], reason: string): void {
  for (const { runId, threadId, instanceId } of interrupted) {
    logger.warn({ runId, threadId, instanceId, reason }, "a run was interrupted");
  }
}
