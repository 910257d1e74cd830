import type { Storage } from "../../storage.ts";
import { compileOnce } from "../compile-once.ts";
import { eventRows, insertEvents, readRunEvents } from "../rows/run-event-rows.ts";
import type { LogFollowers } from "../signals/log-followers.ts";
import type { RunSignals } from "../signals/run-signals.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/**
 * The milliseconds of events in a batch: few for runs that another instance follows; for the others, losing half a
 * second is acceptable. One value is a multiple of the other, so that both kinds share batches.
 */
const FOLLOWED_MS = 80;
const ALONE_MS = 480;

/** The values of an append, as JSON. */
interface Appended {
  readonly events: string;
  readonly notices: string;
}

/**
 * @param db the connection that reads logs
 * @param log the connection that appends batches, one after the other, so that a reader never sees an event before an
 * earlier one
 */
export function eventRepository(
  db: Db,
  log: Db,
  dialect: SqlDialect,
  signals: RunSignals,
  followers: LogFollowers,
): Storage["events"] {
  const append = compileOnce(({ events, notices }: Appended) =>
    dialect.appending(insertEvents(dialect, dialect.jsonRows(events)), notices).compile(log),
  );

  return {
    flushMs: (runId) => (signals.isFollowed(runId) ? FOLLOWED_MS : ALONE_MS),

    append: async (events) => {
      if (events.length === 0) return;
      const runIds = [...new Set(events.map(({ runId }) => runId))];
      const notices = signals.noticesOfEvents(runIds).map(({ channel, payload }) => [channel, payload]);
      await log.executeQuery(append({ events: JSON.stringify(eventRows(events)), notices: JSON.stringify(notices) }));
      followers.wake(runIds);
    },

    read: (runId, afterSeq) => readRunEvents(db, runId, afterSeq),

    follow: (runId, afterSeq, listener) => followers.follow(runId, afterSeq, listener),
  };
}
