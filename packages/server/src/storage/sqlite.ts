import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, sql, SqliteDialect } from "kysely";
import type { FileStore } from "./files/file-store.ts";
import type { Storage } from "./storage.ts";
import { StorageUnavailableError } from "./storage.ts";
import { checkSchema, migrate } from "./sql/migrations/migrate.ts";
import type { Schema } from "./sql/schema.ts";
import { silentBus } from "./sql/signal-bus.ts";
import { createSqlStorage } from "./sql/sql-storage.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";
import type { OpenSqliteDatabase } from "./sqlite-database.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { lockSqlite } from "./sqlite-lock.ts";
import { createSqliteReclaim } from "./sqlite-reclaim.ts";
import { openSqliteWal } from "./sqlite-wal.ts";

export interface SqliteStorageOptions {
  /** The database's file, made with its folder where there is none; `:memory:` keeps nothing. */
  readonly path: string;
  /** Where files are kept; in the database unless named. */
  readonly files?: FileStore | undefined;
  /**
   * Whether this is the one server on the file (the default): then no other may start on it, and what another one had
   * left `running` is ended at once. `false` for a tool that reads or writes beside the server.
   */
  readonly alone?: boolean;
  /**
   * Whether to bring an older schema up to date (the default). `false` changes no schema: one that is older than this
   * version needs is refused, as one that is newer always is, and is for `migrateSqlite`.
   */
  readonly migrate?: boolean;
}

/**
 * Keeps everything in one SQLite file: for one instance, with nothing to install.
 *
 * @throws {StorageUnavailableError} when the file cannot be used, with the reason and what to do
 *
 * @example const storage = await openSqliteStorage({ path: "data/nitka.db" });
 */
export async function openSqliteStorage({
  path,
  files,
  alone = true,
  migrate: mayMigrate = true,
}: SqliteStorageOptions): Promise<Storage> {
  const inMemory = path === ":memory:";
  const unlock = claimFile(path, alone);
  let db: Kysely<Schema> | undefined;
  try {
    const database = openSqliteDatabase({ path });
    db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
    await (mayMigrate ? migrate : checkSchema)(db, createSqliteDialect(noWal.sync));
    const storage = await openStorage(db, database, { files, path: inMemory ? undefined : path, unlock });
    // Whoever has the file alone knows that nobody writes what an earlier process has left.
    if (alone) await storage.runs.interruptStale(0, new Date().toISOString());
    return storage;
  } catch (error) {
    await db?.destroy();
    unlock();
    throw error;
  }
}

/**
 * Brings the schema of an SQLite file up to date, and makes the file where there is none. No server may use it meanwhile.
 *
 * @returns the names of the steps that it took: none when the schema was up to date
 * @throws {StorageUnavailableError} when the file cannot be used, or is of a later version, with what to do
 */
export async function migrateSqlite({ path }: Pick<SqliteStorageOptions, "path">): Promise<readonly string[]> {
  const unlock = claimFile(path, true);
  let db: Kysely<Schema> | undefined;
  try {
    db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: openSqliteDatabase({ path }) }) });
    return await migrate(db, createSqliteDialect(noWal.sync));
  } finally {
    await db?.destroy();
    unlock();
  }
}

/** Makes the file's folder and, for whoever uses the file alone, keeps others out. Returns what lets them in again. */
function claimFile(path: string, alone: boolean): () => void {
  if (path === ":memory:") return () => undefined;
  makeFolder(dirname(path));
  return alone ? lockSqlite(path) : () => undefined;
}

async function openStorage(
  db: Kysely<Schema>,
  database: OpenSqliteDatabase,
  {
    files,
    path,
    unlock,
  }: { readonly files: FileStore | undefined; readonly path: string | undefined; readonly unlock: () => void },
): Promise<Storage> {
  // From here on the log file is there, and is waited for beside SQLite.
  await sql`pragma synchronous = normal`.execute(db);
  const wal = path === undefined ? noWal : await openSqliteWal(path);
  let closed = false;
  const close = async () => {
    closed = true;
    await wal.close();
    await db.destroy();
    unlock();
  };
  const dialect = createSqliteDialect(
    wal.sync,
    createSqliteReclaim(db, database, () => closed),
  );
  return createSqlStorage({ db, log: db, pulse: db, dialect, bus: silentBus, files, close });
}

const noWal = { sync: () => Promise.resolve(), close: () => Promise.resolve() };

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
