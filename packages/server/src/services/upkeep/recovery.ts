import type { Storage } from "../../storage/storage.ts";
import { describeError } from "../describe-error.ts";
import { reportInterrupted } from "./heartbeat.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Log } from "../log.ts";
import type { Timings } from "../timings.ts";

export interface RecoveryOptions {
  readonly storage: Pick<Storage, "runs">;
  readonly heartbeat: Pick<Heartbeat, "mayJudge">;
  readonly clock: () => Date;
  readonly logger: Log;
  readonly timings: Pick<Timings, "heartbeatMs" | "staleMs">;
}

/**
 * Interrupts the runs of stale instances: a limited number per turn, one turn at a time, in parallel with the
 * heartbeat. Returns a function that stops it.
 */
export function startRecovery({ storage, heartbeat, clock, logger, timings }: RecoveryOptions): () => void {
  const { heartbeatMs, staleMs } = timings;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Returns the milliseconds until the next turn: 0 when there may be more to do. */
  async function turn(): Promise<number> {
    if (!heartbeat.mayJudge) return heartbeatMs / 8;
    try {
      const interrupted = await storage.runs.interruptStale(staleMs, clock().toISOString());
      reportInterrupted(logger, interrupted, "its instance is gone");
      return interrupted.length > 0 ? 0 : heartbeatMs;
    } catch (error) {
      logger.warn({ error: describeError(error) }, "the runs of dead instances could not be interrupted");
      return heartbeatMs;
    }
  }

  async function turnAndSchedule(): Promise<void> {
    const nextMs = await turn();
    if (!stopped) schedule(nextMs);
  }

  function schedule(ms: number): void {
    timer = setTimeout(() => void turnAndSchedule(), ms);
    timer.unref();
  }

  schedule(0);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
