import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { StorageUnavailableError } from "./storage.ts";

/** The write-ahead log of an open SQLite database. */
export interface SqliteWal {
  /** Resolves when everything that was committed before the call is on the disk. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Waits for the disk in SQLite's stead. With `synchronous = full` it would do so itself at every commit, and the whole
 * process with it: every stream would stand still for as long as a disk takes. Here others go on meanwhile, and one
 * wait serves all who have committed since the last. The log is the file that SQLite itself would wait for.
 *
 * @param path the database's, which is open already and stays open for as long as this
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
    // A wait that has begun may have missed what was committed since: that is the next one's.
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
