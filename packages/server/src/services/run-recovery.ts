import type { Storage, StoredRun } from "../storage/storage.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";
import type { Timings } from "./timings.ts";

export interface RunRecoveryOptions {
  readonly storage: Storage;
  readonly activeRuns: Pick<ActiveRuns, "find">;
  readonly instanceId: string;
  readonly clock: () => Date;
  readonly log: Log;
  readonly timings: Pick<Timings, "heartbeatMs" | "staleMs">;
}

/** After an outage the others may find the database later than this instance: it waits for so many times `staleMs`. */
const AFTER_OUTAGE = 2;

/**
 * Says that this instance lives, and ends the runs of those that have not said so for too long, and its own that
 * it does not write. Returns its stop.
 *
 * An instance that could not reach the database itself comes back with everybody's heartbeats old: it says its own
 * first, and judges nobody until the others have had time to say theirs.
 */
export function startRunRecovery(options: RunRecoveryOptions): () => void {
  const { storage, activeRuns, instanceId, clock, log, timings } = options;
  const { heartbeatMs, staleMs } = timings;
  let timer: NodeJS.Timeout | undefined;
  let heardAt = Date.now();
  let judgesFrom = 0;
  let stopped = false;

  async function beat(): Promise<void> {
    const running = await storage.runs.heartbeat(instanceId);
    const at = clock().toISOString();
    // A run is among the active ones before it is stored: what is not was begun or ended without this process' knowledge.
    const orphans = running.filter((runId) => !activeRuns.find(runId));
    if (orphans.length > 0) report(await storage.runs.interrupt(orphans, at), "this process does not write it");
    if (Date.now() - heardAt > staleMs) judgesFrom = Date.now() + AFTER_OUTAGE * staleMs;
    heardAt = Date.now();
    if (heardAt >= judgesFrom) report(await storage.runs.interruptStale(staleMs, at), "its instance is gone");
  }

  function report(interrupted: readonly StoredRun[], reason: string): void {
    for (const { runId, threadId, instanceId: of } of interrupted) {
      log.warn({ runId, threadId, instanceId: of, reason }, "a run was interrupted");
    }
  }

  function next(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      beat()
        .catch((error: unknown) => log.warn({ error: describeError(error) }, "no heartbeat: the database failed"))
        .finally(next);
    }, heartbeatMs);
    timer.unref();
  }

  beat()
    .catch((error: unknown) => log.warn({ error: describeError(error) }, "no heartbeat: the database failed"))
    .finally(next);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
