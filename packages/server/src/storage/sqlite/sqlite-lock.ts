import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { sqliteErrorCode } from "../error-code.ts";
import { explainedSqliteError } from "../sqlite-database.ts";
import { StorageUnavailableError } from "../storage.ts";

/**
 * Prevents a second server on the same SQLite file: the servers would interrupt each other's runs. The lock is a SQLite
 * lock on a file beside the database. The operating system releases it however the process ends.
 *
 * @returns a function that releases it
 * @throws {StorageUnavailableError} when another process has it; the message names that process
 */
export function lockSqlite(path: string): () => void {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(`${path}-lock`, { timeout: 0 });
    lock.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    lock?.close();
    if (sqliteErrorCode(error) !== BUSY) throw explainedSqliteError(error, path);
    throw new StorageUnavailableError(
      `The database ${path} is used by another server, ${holderOf(path)}: two servers on one file would end each other's ` +
        "answers. Stop that one, give this one a folder of its own, or use Postgres for both.",
      { cause: error },
    );
  }
  noteHolder(path);
  return () => lock.close();
}

/** Only a message needs it: without it, as on a full disk, the server runs. */
function noteHolder(path: string): void {
  try {
    writeFileSync(holderFile(path), `${process.pid}\n`);
  } catch {
    return;
  }
}

/** SQLite's result code SQLITE_BUSY: another connection has the lock. */
const BUSY = 5;

function holderOf(path: string): string {
  try {
    const pid = readFileSync(holderFile(path), "utf8").trim();
    if (pid !== "") return `process ${pid}`;
  } catch {
    // It could not be noted.
  }
  return "whose process is not known";
}

function holderFile(path: string): string {
  return `${path}-pid`;
}
