import type { Storage } from "../storage.ts";
import { compileOnce } from "./compile-once.ts";
import type { Given } from "./compile-once.ts";
import { eventItems, insertEvents, readLog } from "./event-log.ts";
import type { LogFollowers } from "./log-followers.ts";
import type { RunSignals } from "./run-signals.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/**
 * Milliseconds of events in a batch. Those of runs that another instance follows go soon; of the others a quarter of a
 * second is little to lose. The one is a multiple of the other, so that both go together where they can.
 */
const FOLLOWED_MS = 80;
const ALONE_MS = 240;

/** What an append brings, as JSON. */
interface Appended {
  readonly events: string;
  readonly notices: string;
}

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
  const append = compileOnce((given: Given<Appended>) => {
    const insert = insertEvents(
      dialect,
      given(({ events }) => events),
    );
    return dialect
      .appending(
        insert,
        given(({ notices }) => notices),
      )
      .compile(log);
  });

  return {
    flushMs: (runId) => (signals.isFollowed(runId) ? FOLLOWED_MS : ALONE_MS),

    append: async (events) => {
      if (events.length === 0) return;
      const runIds = [...new Set(events.map(({ runId }) => runId))];
      const notices = signals.noticesOfEvents(runIds).map(({ channel, payload }) => [channel, payload]);
      await log.executeQuery(append({ events: eventItems(events), notices: JSON.stringify(notices) }));
      followers.wake(runIds);
    },

    read: (runId, afterSeq) => readLog(db, runId, afterSeq),

    follow: (runId, afterSeq, listener) => followers.follow(runId, afterSeq, listener),
  };
}
