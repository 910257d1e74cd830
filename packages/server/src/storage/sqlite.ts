import { mkdirSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, sql, SqliteDialect } from "kysely";
import type { FileStore } from "./files/file-store.ts";
import type { Storage, StorageFigures, StorageLog } from "./storage.ts";
import { silentStorageLog, StorageUnavailableError } from "./storage.ts";
import { checkSchema, migrate } from "./sql/migrations/migrate.ts";
import type { Schema } from "./sql/schema.ts";
import { silentBus } from "./sql/signals/signal-bus.ts";
import { createSqlStorage } from "./sql/sql-storage.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";
import type { OpenSqliteDatabase } from "./sqlite-database.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { lockSqlite } from "./sqlite/sqlite-lock.ts";
import { createSqliteReclaim } from "./sqlite/sqlite-reclaim.ts";
import { openSqliteWal } from "./sqlite/sqlite-wal.ts";

export interface SqliteStorageOptions {
  /** The database file. The file and its folder are created if needed. `:memory:` stores nothing on disk. */
  readonly path: string;
  /** The store for files. Default: the database. */
  readonly files?: FileStore | undefined;
  /**
   * Whether this process is the only server on the file. Default: true. Then a second server cannot start, and runs
   * that an earlier process left running are interrupted at once. Use `false` for a tool that reads or writes while a
   * server is running.
   */
  readonly alone?: boolean;
  /**
   * Whether to migrate an older schema. Default: true. With `false` an older schema is refused, and `migrateSqlite` has
   * to migrate it. A newer schema that this program cannot use is always refused.
   */
  readonly migrate?: boolean;
  /** Receives listeners that fail. Default: none. */
  readonly log?: StorageLog;
}

/**
 * Opens a storage in one SQLite file, for a single instance and without a database server.
 *
 * @throws {StorageUnavailableError} when the file cannot be used; its message says why and what to do
 *
 * @example const storage = await openSqliteStorage({ path: "data/nitka.db" });
 */
export async function openSqliteStorage({
  path,
  files,
  alone = true,
  migrate: mayMigrate = true,
  log: logger = silentStorageLog,
}: SqliteStorageOptions): Promise<Storage> {
  const inMemory = path === ":memory:";
  const unlock = claimFile(path, alone);
  let db: Kysely<Schema> | undefined;
  try {
    const database = openSqliteDatabase({ path });
    db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
    await (mayMigrate ? migrate : checkSchema)(db, createSqliteDialect(noWal.sync));
    const storage = await openStorage(db, database, { files, path: inMemory ? undefined : path, logger, unlock });
    // No other process uses the file, so an earlier process has left every run that is still running.
    if (alone) await untilNone(() => storage.runs.interruptStale(0, new Date().toISOString()));
    return storage;
  } catch (error) {
    await db?.destroy();
    unlock();
    throw error;
  }
}

/**
 * Migrates the schema of a SQLite file, and creates the file if needed. No server may use the file meanwhile.
 *
 * @returns the names of the migrations that ran: none when the schema was up to date
 * @throws {StorageUnavailableError} when the file cannot be used or has a newer schema; its message says what to do
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

/** Creates the file's folder and, with `alone`, locks the file against other servers. Returns the unlock function. */
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
    logger,
    unlock,
  }: {
    readonly files: FileStore | undefined;
    readonly path: string | undefined;
    readonly logger: StorageLog;
    readonly unlock: () => void;
  },
): Promise<Storage> {
  // The write-ahead log exists from here on. SQLite no longer waits for the disk at a commit: `openSqliteWal` does.
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
  const figures = () => (path === undefined ? {} : diskOf(path));
  return createSqlStorage({ db, log: db, pulse: db, desk: db, dialect, bus: silentBus, files, logger, figures, close });
}

/** The size of the disk, and the bytes that this process may still write. */
function diskOf(path: string): StorageFigures {
  try {
    const { bsize, blocks, bavail } = statfsSync(dirname(path));
    return { disk: { bytes: bsize * blocks, freeBytes: bsize * bavail } };
  } catch {
    return {};
  }
}

/** Repeats `work` until it finds nothing. */
async function untilNone(work: () => Promise<readonly unknown[]>): Promise<void> {
  while ((await work()).length > 0);
}

const noWal = { sync: () => Promise.resolve(), close: () => Promise.resolve() };

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StorageUnavailableError(
      `The folder ${folder} of the database cannot be created: let this process write there, or name another folder.`,
      { cause: error },
    );
  }
}
