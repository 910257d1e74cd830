import type { Storage } from "../storage/storage.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";
import type { Timings } from "./timings.ts";

export interface RunRecoveryOptions {
  readonly storage: Storage;
  readonly instanceId: string;
  readonly clock: () => Date;
  readonly log: Log;
  readonly timings: Pick<Timings, "heartbeatMs" | "staleMs">;
}

/**
 * Says that this instance lives, and ends the runs of those that have not said so for too long. Returns its stop.
 *
 * An instance that could not reach the database itself comes back with everybody's heartbeats old: it says its own
 * first, and judges nobody until the others have had time to say theirs.
 */
export function startRunRecovery({ storage, instanceId, clock, log, timings }: RunRecoveryOptions): () => void {
  const { heartbeatMs, staleMs } = timings;
  let timer: NodeJS.Timeout | undefined;
  let heardAt = Date.now();
  let judgesFrom = 0;
  let stopped = false;

  async function beat(): Promise<void> {
    const now = clock();
    await storage.runs.heartbeat(instanceId, now.toISOString());
    if (Date.now() - heardAt > staleMs) judgesFrom = Date.now() + staleMs;
    heardAt = Date.now();
    if (heardAt < judgesFrom) return;
    const before = new Date(now.getTime() - staleMs).toISOString();
    const interrupted = await storage.runs.interruptStale(before, now.toISOString());
    for (const { runId, threadId, instanceId: of } of interrupted) {
      log.warn({ runId, threadId, instanceId: of }, "a run was interrupted: its instance is gone");
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
