import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, sql, SqliteDialect } from "kysely";
import type { Storage } from "./storage.ts";
import { StorageUnavailableError } from "./storage.ts";
import { migrate } from "./sql/migrations/migrate.ts";
import type { Schema } from "./sql/schema.ts";
import { silentBus } from "./sql/signal-bus.ts";
import type { SqlDialect } from "./sql/sql-dialect.ts";
import { createSqlStorage } from "./sql/sql-storage.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";

export interface SqliteStorageOptions {
  /** The database's file, made with its folder where there is none; `:memory:` keeps nothing. */
  readonly path: string;
  /** Told how many milliseconds each query took. */
  readonly onQuery?: (ms: number) => void;
}

/**
 * Keeps everything in one SQLite file: for one instance, with nothing to install.
 *
 * @throws {StorageUnavailableError} when the file cannot be used, with the reason and what to do
 *
 * @example const storage = await openSqliteStorage({ path: "data/nitka.db" });
 */
export async function openSqliteStorage({ path, onQuery }: SqliteStorageOptions): Promise<Storage> {
  if (path !== ":memory:") makeFolder(dirname(path));
  const database = openSqliteDatabase({ path, onQuery });
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  const storage = createSqlStorage({ db, log: db, dialect: sqliteDialect, bus: silentBus, close: () => db.destroy() });
  try {
    await migrate(db, sqliteDialect);
  } catch (error) {
    await storage.close();
    throw error;
  }
  return storage;
}

const sqliteDialect: SqlDialect = {
  concurrent: false,
  // Nobody else reads along: the log is for recovery alone, and a fourth of a second is little to lose.
  flushMs: 250,
  keyType: "text",
  bytesType: "blob",
  clustered: "without rowid",
  items: (json) => sql`json_each(${json}) as item`,
  element: (index) => sql`item.value ->> ${sql.lit(index)}`,
  // Transactions have the database to themselves.
  lock: () => Promise.resolve(),
  relaxed: (db, work) =>
    db.connection().execute(async (connection) => {
      // With NORMAL a commit is in the file when it is told, as with FULL, but reaches the disk with a later one.
      await sql`pragma synchronous = normal`.execute(connection);
      try {
        return await connection.transaction().execute(work);
      } finally {
        await sql`pragma synchronous = full`.execute(connection);
      }
    }),
};

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StorageUnavailableError(
      `The folder ${folder} of the database cannot be made: let this process write there, or name another folder.`,
      { cause: error },
    );
  }
}
