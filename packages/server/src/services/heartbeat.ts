import type { Storage, StoredRun } from "../storage/storage.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";
import { STALE_AFTER_OUTAGE } from "./timings.ts";
import type { Timings } from "./timings.ts";

export interface HeartbeatOptions {
  readonly storage: Storage;
  readonly activeRuns: Pick<ActiveRuns, "find">;
  readonly instanceId: string;
  readonly clock: () => Date;
  readonly logger: Log;
  readonly timings: Pick<Timings, "heartbeatMs" | "staleMs">;
}

/**
 * Stores this instance's heartbeat every `heartbeatMs`, and interrupts runs that nobody writes: those of stale instances,
 * and its own that are not among its active runs. Returns a function that stops it.
 *
 * After an outage of the database every heartbeat is old. So an instance that could not reach the database stores its own
 * first, and gives the others `STALE_AFTER_OUTAGE * staleMs` to store theirs before it interrupts their runs.
 */
export function startHeartbeat(options: HeartbeatOptions): () => void {
  const { storage, activeRuns, instanceId, clock, logger, timings } = options;
  const { heartbeatMs, staleMs } = timings;
  let timer: NodeJS.Timeout | undefined;
  let storedAt = performance.now();
  let interruptsOthersFrom = 0;
  let stopped = false;

  async function beat(): Promise<void> {
    const running = await storage.runs.heartbeat(instanceId);
    const at = clock().toISOString();
    // A run is active before it is stored. One that is stored and not active was left behind by an error.
    const orphans = running.filter((runId) => !activeRuns.find(runId));
    if (orphans.length > 0) report(await storage.runs.interrupt(orphans, at), "this process does not write it");
    const now = performance.now();
    if (now - storedAt > staleMs) interruptsOthersFrom = now + STALE_AFTER_OUTAGE * staleMs;
    storedAt = now;
    if (now >= interruptsOthersFrom) report(await storage.runs.interruptStale(staleMs, at), "its instance is gone");
  }

  function report(interrupted: readonly StoredRun[], reason: string): void {
    for (const { runId, threadId, instanceId: of } of interrupted) {
      logger.warn({ runId, threadId, instanceId: of, reason }, "a run was interrupted");
    }
  }

  async function beatAndSchedule(): Promise<void> {
    try {
      await beat();
    } catch (error) {
      logger.warn({ error: describeError(error) }, "no heartbeat: the database failed");
    }
    if (stopped) return;
    timer = setTimeout(() => void beatAndSchedule(), heartbeatMs);
    timer.unref();
  }

  void beatAndSchedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
