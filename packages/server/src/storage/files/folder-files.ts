import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../error-code.ts";
import { FileLostError, FileRefusedError, StorageUnavailableError } from "../storage.ts";
import type { FileStore } from "./file-store.ts";
import { PIECE_BYTES } from "./in-chunks.ts";

/**
 * Files in a folder that any number of instances may share. A file is either complete or absent. Two levels of
 * subfolders keep each folder small.
 *
 * @param folder created if needed
 *
 * @example
 * // the file `abcdef` is folder/ab/cd/abcdef
 */
export function createFolderFiles(folder: string): FileStore {
  const explain = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw explained(error, folder);
    }
  };

  return {
    name: "folder",
    heldBytes: PIECE_BYTES,

    async write(fileId, pieces) {
      const path = pathOf(folder, fileId);
      await explain(mkdir(dirname(path), { recursive: true, mode: 0o700 }));
      const file = await explain(open(partOf(path), "w", 0o600));
      try {
        for await (const piece of pieces) await explain(file.writeFile(piece));
        await explain(file.sync());
      } finally {
        await file.close();
      }
      await explain(rename(partOf(path), path));
      // A folder's entry is stored in its parent folder, so each level must be flushed to the disk.
      for (const level of [dirname(path), dirname(dirname(path)), folder]) await explain(syncFolder(level));
    },

    async *read(fileId, { start, end }) {
      if (start >= end) return;
      const stream = createReadStream(pathOf(folder, fileId), { start, end: end - 1, highWaterMark: PIECE_BYTES });
      let left = end - start;
      try {
        for await (const piece of stream as AsyncIterable<Uint8Array>) {
          left -= piece.length;
          yield piece;
        }
      } catch (error) {
        if (errorCode(error) !== "ENOENT") throw explained(error, folder);
        throw new FileLostError(`The file ${fileId} is not in the folder ${folder}.`, { cause: error });
      }
      if (left > 0) throw new FileLostError(`The file ${fileId} ends before byte ${end} in the folder ${folder}.`);
    },

    async delete(fileId) {
      const path = pathOf(folder, fileId);
      await explain(rm(partOf(path), { force: true }));
      await explain(rm(path, { force: true }));
    },
  };
}

function pathOf(folder: string, fileId: string): string {
  if (!/^[\w-]{1,128}$/.test(fileId)) throw new Error(`The id ${JSON.stringify(fileId)} cannot be a file's name.`);
  return join(folder, fileId.slice(0, 2), fileId.slice(2, 4) || "_", fileId);
}

/** The path of a file that is being written. */
function partOf(path: string): string {
  return `${path}.part`;
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot flush a folder. Its file systems journal file names.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Errors that an operator must fix: a retry would fail too. */
const refusals: Readonly<Record<string, string>> = {
  EACCES: "may not be read or written: give this process access",
  EDQUOT: "cannot grow: the quota of this user is used up",
  ENOSPC: "cannot grow: the disk is full",
  ENOTDIR: "is not a folder: name another one",
  EROFS: "may not be written: its disk is mounted read-only",
};

/** Errors that may be temporary. */
const troubles: Readonly<Record<string, string>> = {
  EIO: "cannot be read or written: check the disk",
  EMFILE: "cannot be opened: this process has too many open files",
  ENFILE: "cannot be opened: this machine has too many open files",
  ESTALE: "is temporarily unavailable: check the network disk",
};

function explained(error: unknown, folder: string): unknown {
  const code = errorCode(error);
  const refusal = refusals[code];
  if (refusal !== undefined)
    return new FileRefusedError(`The folder ${folder} for files ${refusal}.`, { cause: error });
  const trouble = troubles[code];
  return trouble === undefined
    ? error
    : new StorageUnavailableError(`The folder ${folder} for files ${trouble}.`, { cause: error });
}
