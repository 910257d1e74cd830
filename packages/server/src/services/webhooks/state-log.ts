/** What the log says of a receiver's state, in few lines: one may fail at every second call. */
import type { Log, LogFields } from "../log.ts";
import { WEBHOOKS } from "../timings.ts";

export interface StateLog {
  /** @param trouble why a call has failed; `undefined` for one that has not */
  note(trouble: unknown): void;
  /** Logs what has been counted. */
  stop(): void;
}

/**
 * One line when a receiver stops answering as it should, and one when it does again. After some of them changes are counted, and the
 * end of the hour has one line with their number.
 */
export function createStateLog(logger: Pick<Log, "info" | "warn">, named: LogFields): StateLog {
  let isFailing = false;
  let lines = 0;
  let changes = 0;
  let reason: unknown;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function sumUp(): void {
    clearTimeout(timer);
    timer = undefined;
    if (changes > 0) {
      const fields = { ...named, times: changes, isFailing, reason };
      logger.warn(fields, "a webhook has begun and ceased to answer as it should, again and again");
    }
    lines = 0;
    changes = 0;
  }

  return {
    note(trouble) {
      if (trouble !== undefined) reason = trouble;
      if ((trouble !== undefined) === isFailing) return;
      isFailing = !isFailing;
      // A call that was under way at the end may end after it.
      if (!isStopped) timer ??= setTimeout(sumUp, WEBHOOKS.sumMs).unref();
      if (lines >= WEBHOOKS.stateLines) {
        changes += 1;
        return;
      }
      lines += 1;
      if (isFailing) logger.warn({ ...named, reason }, "a webhook does not answer as it should: it is tried again");
      else logger.info(named, "a webhook answers again");
    },
    stop() {
      isStopped = true;
      sumUp();
    },
  };
}
