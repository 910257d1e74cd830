import type { Storage } from "../storage.ts";
import { appendLog, readLog } from "./event-log.ts";
import type { LogFollowers } from "./log-followers.ts";
import { RUN_LOGS } from "./run-logs.ts";
import type { RunSignals } from "./run-signals.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/**
 * @param db where logs are read
 * @param log where they are appended, by one at a time: a reader that has seen an event has seen all before it
 */
export function eventRepository(
  db: Db,
  log: Db,
  dialect: SqlDialect,
  signals: RunSignals,
  followers: LogFollowers,
): Storage["events"] {
  return {
    flushMs: () => dialect.flushMs,

    append: async (events) => {
      if (events.length === 0) return;
      await dialect.relaxed(log, (transaction) => appendLog(transaction, dialect, events), RUN_LOGS);
      const runIds = [...new Set(events.map(({ runId }) => runId))];
      followers.wake(runIds);
      await signals.tellOthers("events", runIds);
    },

    read: (runId, afterSeq) => readLog(db, runId, afterSeq),

    follow: (runId, afterSeq, listener) => followers.follow(runId, afterSeq, listener),
  };
}
