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
 * Waits for the disk in place of SQLite (decision 10). With `synchronous = full` SQLite syncs the write-ahead log
 * synchronously at every commit, so all streams of the process wait for the disk. This syncs the same file
 * asynchronously, and one sync covers all commits since the previous sync.
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
    // A running sync may miss a commit that was made after it began. The next sync covers that commit.
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
    throw new StorageUnavailableError(`The database ${path} cannot be written: check the disk.`, { cause: error });
  }
}
