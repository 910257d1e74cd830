import type { Storage, StoredRun } from "../../storage/storage.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import type { ActiveRuns } from "../runs/active-runs.ts";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";
import { BEAT_RETRY_MS, STALE_AFTER_OUTAGE } from "../timings.ts";
import type { Timings } from "../timings.ts";

export interface Heartbeat {
  /**
   * Whether this instance may consider others dead: it has reached the database for `staleMs` without a gap. In this
   * time every living instance could store a heartbeat, also after an outage, when all heartbeats are old.
   */
  readonly mayJudge: boolean;
  /** Whether other instances consider this one alive. */
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
 * Stores this instance's heartbeat every `heartbeatMs`. It waits for nothing else in between: an instance that is late
 * loses its runs. Each heartbeat compares the instance's runs in the database with its active runs: runs that it is not
 * writing are interrupted, and runs that the database no longer has are stopped.
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
    // Read before the heartbeat: runs that begin after this may be missing in the database's answer.
    const begun = activeRuns.begun();
    const running = new Set(await storage.runs.heartbeat(instanceId));
    const now = performance.now();
    if (storedAt === undefined) judgesFrom = now + staleMs;
    else if (now - storedAt > staleMs) judgesFrom = now + STALE_AFTER_OUTAGE * staleMs;
    storedAt = now;
    stopLost(begun.filter(({ runId }) => !running.has(runId)));
    // A run is active before it is stored. An error has left behind a run that is stored but not active.
    void interrupt([...running].filter((runId) => !activeRuns.find(runId)));
  }

  /** Stops runs whose thread was purged, or that another instance has ended while its signal was lost. */
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
      logger.warn({ error: describeError(error) }, "runs that no instance writes could not be interrupted");
    } finally {
      interrupting = false;
    }
  }

  async function beatAndSchedule(): Promise<void> {
    const begunAt = performance.now();
    try {
      await beat();
    } catch (error) {
      logger.warn({ error: describeError(error) }, "a heartbeat could not be stored");
    }
    if (stopped) return;
    // A late heartbeat is followed at once: the time until this instance is stale counts from the heartbeat before it.
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
