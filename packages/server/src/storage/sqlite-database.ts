import { DatabaseSync } from "node:sqlite";
import type { StatementSync, SQLInputValue } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { storableText } from "./storable-text.ts";
import { StorageUnavailableError } from "./storage.ts";

/** Statements kept prepared. Texts with lists of any length would otherwise gather without end. */
const PREPARED = 200;

/** Milliseconds to wait for another process that is writing. The whole process waits with it. */
const BUSY_MS = 2000;

export interface SqliteDatabaseOptions {
  readonly path: string;
}

/** An open database, and what Kysely has no words for. */
export interface OpenSqliteDatabase extends SqliteDatabase {
  /** Gives free pages back to the file system, so many at most. Returns whether there are more to give back. */
  shrink(pages: number): boolean;
  /** Writes everything into the database's file and empties the write-ahead log, unless another process reads it. */
  emptyWal(): void;
}

/** Opens a database of node:sqlite in the shape that Kysely asks for. */
export function openSqliteDatabase({ path }: SqliteDatabaseOptions): OpenSqliteDatabase {
  const explain = (error: unknown) => explainedSqliteError(error, path);
  const database = attempt(() => openDatabase(path), explain);
  const prepared = new Map<string, SqliteStatement>();

  function prepare(text: string): SqliteStatement {
    // A transaction that read first and would write then finds itself refused when another process wrote meanwhile.
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
        // A file that was made without `auto_vacuum` keeps its free pages, and uses them again.
        const after = countFreePages();
        return after > 0 && after < before;
      }, explain),
    emptyWal: () => attempt(() => database.exec("pragma wal_checkpoint(truncate)"), explain),
    prepare: (text) => {
      const kept = prepared.get(text);
      if (kept) {
        // Moved to the end: the first of the map is the one that was not used for the longest time.
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
  // Before anything is written: a file that holds something already stays as it was made.
  database.exec("pragma auto_vacuum = incremental");
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864");
  // What is deleted is overwritten: purged conversations must not be found in the file.
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

/** What SQLite's primary result codes mean to who runs the server; every other error is the program's own. */
const troubles: Readonly<Record<number, string>> = {
  5: "is locked by another process: end that, or give each server its own database",
  6: "is locked by another process: end that, or give each server its own database",
  8: "may not be written: let this process write to the file and to its folder",
  10: "cannot be read or written: look at the disk",
  11: "is damaged: restore it from a backup",
  13: "cannot grow: the disk is full",
  14: "cannot be opened: let this process read and write the file and its folder",
  26: "is not an SQLite database: name another file",
};

/** What SQLite refuses, as the storage's callers know it: a `StorageUnavailableError` where the file is at fault. */
export function explainedSqliteError(error: unknown, path: string): unknown {
  const code = error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
  const trouble = troubles[code & 0xff];
  return trouble === undefined
    ? error
    : new StorageUnavailableError(`The database ${path} ${trouble}.`, { cause: error });
}
