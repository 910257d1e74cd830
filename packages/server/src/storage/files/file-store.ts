import type { Pieces } from "../storage.ts";

/** A store for the bytes of attachments. The database knows who owns them. A file is never changed once it is written. */
export interface FileStore {
  /** Stored in the database beside each file: the name of the store that has the file. */
  readonly name: "database" | "folder" | "s3";
  /** The most memory that writing one file takes, in bytes. */
  readonly heldBytes: number;
  /** Resolves when the file would survive a power loss. `delete` removes what a failed write leaves behind. */
  write(fileId: string, pieces: Pieces): Promise<void>;
  /**
   * The bytes from `start` (inclusive) to `end` (exclusive). Rejects with a `FileLostError` when any of them are
   * missing.
   */
  read(fileId: string, range: { readonly start: number; readonly end: number }): Pieces;
  /** Also resolves when the file does not exist. */
  delete(fileId: string): Promise<void>;
}
