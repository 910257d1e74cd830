import { setTimeout as sleep } from "node:timers/promises";
import type { Db, SqlDialect } from "../sql/sql-dialect.ts";
import type { OpenSqliteDatabase } from "../sqlite-database.ts";

/**
 * The pages that one step returns to the file system, and the milliseconds between steps: the whole process waits for a
 * step.
 */
const PAGES = 100;
const PAUSE_MS = 10;

/**
 * How often it tries to empty the log before it reports that another process is reading it, and the interval after
 * that.
 */
const QUICK = { tries: 10, everyMs: 50 };
const SLOW_MS = 1000;

/**
 * Returns free pages to the file system, and empties the write-ahead log, which still contains deleted data. While
 * another process reads the log, it keeps trying in the background. Each step waits for the connection like every other
 * query, so no step runs inside of a transaction.
 *
 * @param isClosed whether the storage has been closed: then no further step is taken
 */
export function createSqliteReclaim(
  db: Db,
  database: OpenSqliteDatabase,
  isClosed: () => boolean,
): SqlDialect["reclaim"] {
  const inTurn = <T>(work: () => T): Promise<T> => db.connection().execute(async () => work());
  const shrink = async () => {
    while (!isClosed() && (await inTurn(() => database.shrink(PAGES)))) await sleep(PAUSE_MS);
  };
  const isEmptied = async () => isClosed() || (await inTurn(() => database.emptyWal()));
  let trying: Promise<void> | undefined;

  async function tryLater(): Promise<void> {
    try {
      do await sleep(SLOW_MS, undefined, { ref: false });
      while (!(await isEmptied()));
    } catch {
      // The next call reports the error.
    } finally {
      trying = undefined;
    }
  }

  return async (what) => {
    if (what === "space") await shrink();
    for (let left = QUICK.tries; left > 0; left -= 1) {
      if (await isEmptied()) return true;
      await sleep(QUICK.everyMs);
    }
    trying ??= tryLater();
    return false;
  };
}
