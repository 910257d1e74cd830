import { setTimeout as sleep } from "node:timers/promises";
import type { Db, SqlDialect } from "./sql/sql-dialect.ts";
import type { OpenSqliteDatabase } from "./sqlite-database.ts";

/** Pages given back at once, and milliseconds in between: the whole process waits for each step. */
const PAGES = 100;
const PAUSE_MS = 10;

/**
 * Gives freed pages back to the file system and empties the write-ahead log, which holds pages as they were before.
 * Steps take the connection in turn with every other query, so none lands in another one's transaction.
 *
 * @param isClosed whether the storage has been closed: then nothing is left to do
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
