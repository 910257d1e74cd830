import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { StorageUnavailableError } from "../storage.ts";

/** The write-ahead log of an open SQLite database. */
export interface SqliteWal {
  /** Resolves when everything that was committed before the call is on the disk. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Waits for the disk in place of SQLite (decision 10). With `synchronous = full` SQLite syncs the write-ahead log at every
 * commit, synchronously: all streams of the process wait for the disk. Here the same file is synced asynchronously, and
 * one sync serves all commits since the one before.
 *
 * @param path the database file, which is open already and stays open until `close`
 */
export async function openSqliteWal(path: string): Promise<SqliteWal> {
  const file = await open(`${path}-wal`, "r+");
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    next = undefined;
    current = waitForDisk(file, path).finally(() => {
      current = undefined;
    });
    return current;
  }

  return {
    // A sync that is in progress may miss a commit that was made after its start: the next one has it.
    sync: () => (current === undefined ? start() : (next ??= current.then(start, start))),
    close: async () => {
      await Promise.allSettled([current, next]);
      await file.close();
    },
  };
}

async function waitForDisk(file: FileHandle, path: string): Promise<void> {
  try {
    await file.datasync();
  } catch (error) {
    throw new StorageUnavailableError(`The database ${path} cannot be written: look at the disk.`, { cause: error });
  }
}
