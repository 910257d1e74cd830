/** The log of a receiver's state, in few lines: a receiver may fail at every second call. */
import type { Log, LogFields } from "../log.ts";
import { WEBHOOKS } from "../timings.ts";
import { createSummaryTimer } from "../waiting/summary-timer.ts";

export interface StateLog {
  /** @param trouble the reason why a call has failed; `undefined` for a call that succeeded */
  note(trouble: unknown): void;
  /** Logs the counted changes. */
  stop(): void;
}

/**
 * A line for each change: when a receiver begins to fail, and when it succeeds again. After `stateLines` of them the
 * changes are only counted, and at the end of the hour one line has their number.
 */
export function createStateLog(logger: Pick<Log, "info" | "warn">, named: LogFields): StateLog {
  let isFailing = false;
  let lines = 0;
  let changes = 0;
  let reason: unknown;

  const summary = createSummaryTimer(WEBHOOKS.sumMs, () => {
    if (changes > 0) {
      const fields = { ...named, times: changes, isFailing, reason };
      logger.warn(fields, "a webhook failed and recovered repeatedly");
    }
    lines = 0;
    changes = 0;
  });

  return {
    note(trouble) {
      if (trouble !== undefined) reason = trouble;
      if ((trouble !== undefined) === isFailing) return;
      isFailing = !isFailing;
      summary.start();
      if (lines >= WEBHOOKS.stateLines) {
        changes += 1;
        return;
      }
      lines += 1;
      if (isFailing) logger.warn({ ...named, reason }, "a webhook fails: its events are retried");
      else logger.info(named, "a webhook works again");
    },
    stop: summary.stop,
  };
}
