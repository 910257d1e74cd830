/**
 * The log of undelivered webhook events, in few lines: a receiver that is down for a day misses thousands of events.
 */
import type { Log, LogFields } from "../log.ts";
import { WEBHOOKS } from "../timings.ts";
import { createSummaryTimer } from "../waiting/summary-timer.ts";
import { hostOf } from "./webhook.ts";

export interface GivenUpLog {
  /** @param fields additional fields, in case the event gets its own line */
  add(receiver: { readonly projectId: string; readonly url: string }, reason: unknown, fields: LogFields): void;
  /** Logs the counted events. */
  stop(): void;
}

interface Counted {
  readonly named: LogFields;
  times: number;
  reason: unknown;
}

/** The first event of each receiver is logged at once. At the end of an hour one line says how many followed. */
export function createGivenUpLog(logger: Pick<Log, "error">): GivenUpLog {
  const receivers = new Map<string, Counted>();

  const write = (fields: LogFields) => logger.error(fields, "an event for a webhook was given up");

  const summary = createSummaryTimer(WEBHOOKS.sumMs, () => {
    for (const { named, times, reason } of receivers.values()) if (times > 0) write({ ...named, times, reason });
    receivers.clear();
  });

  return {
    add({ projectId, url }, reason, fields) {
      const key = JSON.stringify([projectId, url]);
      const counted = receivers.get(key);
      if (counted) {
        counted.times += 1;
        counted.reason = reason;
      } else {
        const named = { projectId, host: hostOf(url) };
        receivers.set(key, { named, times: 0, reason });
        write({ ...named, ...fields, reason });
      }
      summary.start();
    },
    stop: summary.stop,
  };
}
