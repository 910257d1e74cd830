import { closeSync, fsyncSync, openSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { sqliteErrorCode } from "../error-code.ts";
import { explainedSqliteError } from "../sqlite-database.ts";
import { StorageUnavailableError } from "../storage.ts";

/** SQLite's result code SQLITE_FULL. */
const FULL = 13;

/** Milliseconds to wait for a process that has locked the whole database, as a migration does. */
const BUSY_MS = 10_000;

/**
 * Copies a SQLite database to a new file, as it is at this moment; a server may be writing to it. When this returns,
 * the copy is on the disk, and only its owner may read it.
 *
 * @param target the file to write, which must not exist
 * @returns the bytes of the copy
 * @throws a `NodeJS.ErrnoException` when the file cannot be made, `EEXIST` when it exists
 */
export function copySqlite(path: string, target: string): number {
  const source = openReadOnly(path);
  try {
    // `vacuum into` would create a file that everyone may read, but also accepts an existing empty file.
    closeSync(openSync(target, "wx", 0o600));
    try {
      source.prepare("vacuum into ?").run(target);
      flush(target);
      return statSync(target).size;
    } catch (error) {
      for (const file of [target, `${target}-journal`]) rmSync(file, { force: true });
      // The source is only read, so the disk of the copy is meant.
      if (sqliteErrorCode(error) === FULL)
        throw new StorageUnavailableError(`The copy ${target} cannot be written: its disk is full.`, { cause: error });
      throw explainedSqliteError(error, path);
    }
  } finally {
    source.close();
  }
}

function openReadOnly(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  } catch (error) {
    throw explainedSqliteError(error, path);
  }
}

function flush(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
