import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, SqliteDialect } from "kysely";
import type { Storage } from "./storage.ts";
import { StorageUnavailableError } from "./storage.ts";
import { migrate } from "./sql/migrations/migrate.ts";
import type { Schema } from "./sql/schema.ts";
import { silentBus } from "./sql/signal-bus.ts";
import { createSqlStorage } from "./sql/sql-storage.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

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
