import { setTimeout as sleep } from "node:timers/promises";
import type { Db, SqlDialect } from "./sql/sql-dialect.ts";
import type { OpenSqliteDatabase } from "./sqlite-database.ts";

/** Pages that one step returns to the file system, and milliseconds between steps: the whole process waits for a step. */
const PAGES = 100;
const PAUSE_MS = 10;

/**
 * Returns free pages to the file system, and empties the write-ahead log, which still has deleted data. Each step waits for
 * the connection like every other query, so none runs inside of a transaction.
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
  return async (what) => {
    if (what === "space") await shrink();
    if (!isClosed()) await inTurn(() => database.emptyWal());
  };
}
