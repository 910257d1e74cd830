import { DatabaseSync } from "node:sqlite";
import type { StatementSync, SQLInputValue } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { sqliteErrorCode } from "./error-code.ts";
import { storableText } from "./sql/storable-text.ts";
import { StorageUnavailableError } from "./storage.ts";

/** The most prepared statements to keep. A statement with a list has a different text for each length of the list. */
const PREPARED = 200;

/** Milliseconds to wait for another process that is writing. node:sqlite is synchronous, so the whole process waits. */
const BUSY_MS = 2000;

export interface SqliteDatabaseOptions {
  readonly path: string;
}

/** An open database, with operations that Kysely does not offer. */
export interface OpenSqliteDatabase extends SqliteDatabase {
  /** Returns up to `pages` free pages to the file system. Returns whether more are free. */
  shrink(pages: number): boolean;
  /**
   * Writes the write-ahead log into the database file and empties it. Returns whether it is empty: it cannot be emptied
   * while another process is reading it.
   */
  emptyWal(): boolean;
}

/** Opens a database of node:sqlite with the interface that Kysely needs. */
export function openSqliteDatabase({ path }: SqliteDatabaseOptions): OpenSqliteDatabase {
  const explain = (error: unknown) => explainedSqliteError(error, path);
  const database = attempt(() => openDatabase(path), explain);
  const prepared = new Map<string, SqliteStatement>();

  function prepare(text: string): SqliteStatement {
    // `immediate` takes the write lock at once. Otherwise a transaction that reads first would be refused at its first
    // write if another process has written in between.
    const statement = database.prepare(text === "begin" ? "begin immediate" : text);
    return sqliteStatement(statement, explain);
  }

  const countFreePages = () => Number(database.prepare("pragma freelist_count").get()?.["freelist_count"]);

  return {
    close: () => database.close(),
    shrink: (pages) =>
      attempt(() => {
        const before = countFreePages();
        if (before === 0) return false;
        database.exec(`pragma incremental_vacuum(${pages})`);
        const after = countFreePages();
        return after > 0 && after < before;
      }, explain),
    emptyWal: () =>
      attempt(() => {
        // With a timeout, SQLite would wait for readers and block the whole process.
        database.exec("pragma busy_timeout = 0");
        try {
          return database.prepare("pragma wal_checkpoint(truncate)").get()?.["busy"] === 0;
        } finally {
          database.exec(`pragma busy_timeout = ${BUSY_MS}`);
        }
      }, explain),
    prepare: (text) => {
      const kept = prepared.get(text);
      if (kept) {
        // Moved to the end, so that the first entry of the map is the least recently used.
        prepared.delete(text);
        prepared.set(text, kept);
        return kept;
      }
      const statement = attempt(() => prepare(text), explain);
      prepared.set(text, statement);
      const [oldest] = prepared.keys();
      if (prepared.size > PREPARED && oldest !== undefined) prepared.delete(oldest);
      return statement;
    },
  };
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  // Comes first, because it only works on an empty file.
  database.exec("pragma auto_vacuum = incremental");
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864");
  // Overwrites deleted data, so that purged conversations do not remain in the file.
  database.exec("pragma secure_delete = on");
  return database;
}

function sqliteStatement(statement: StatementSync, explain: (error: unknown) => unknown): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => attempt(() => statement.all(...parameters.map(inputValue)), explain),
    run: (parameters) => attempt(() => statement.run(...parameters.map(inputValue)), explain),
    iterate: (parameters) => statement.iterate(...parameters.map(inputValue)),
  };
}

function inputValue(value: unknown): SQLInputValue {
  return storableText(value) as SQLInputValue;
}

function attempt<T>(work: () => T, explain: (error: unknown) => unknown): T {
  try {
    return work();
  } catch (error) {
    throw explain(error);
  }
}

/** SQLite's primary result codes that an operator can act on. Every other code means an error of the program. */
const troubles: Readonly<Record<number, string>> = {
  5: "is locked by another process: end that process, or give each server its own database",
  6: "is locked by another process: end that process, or give each server its own database",
  8: "may not be written: let this process write to the file and to its folder",
  10: "cannot be read or written: check the disk",
  11: "is damaged: restore it from a backup",
  13: "cannot grow: the disk is full",
  14: "cannot be opened: let this process read and write the file and its folder",
  26: "is not an SQLite database: name another file",
};

/** Wraps an error of SQLite in a `StorageUnavailableError` when the file or the disk is the cause. */
export function explainedSqliteError(error: unknown, path: string): unknown {
  const trouble = troubles[sqliteErrorCode(error) & 0xff];
  return trouble === undefined
    ? error
    : new StorageUnavailableError(`The database ${path} ${trouble}.`, { cause: error });
}
