import type { Pieces } from "../storage.ts";

/** A store for the bytes of attachments. The database knows who owns them. A file is never changed once it is written. */
export interface FileStore {
  /** Stored in the database beside each file: it says which store has the file. */
  readonly name: "database" | "folder" | "s3";
  /** The most memory that writing one file takes, in bytes. */
  readonly heldBytes: number;
  /** Resolves when the file would survive a loss of power. `delete` removes what a failed write leaves. */
  write(fileId: string, pieces: Pieces): Promise<void>;
  /** The bytes from `start` to `end`, without the one at `end`. Rejects with a `FileLostError` when they are not all there. */
  read(fileId: string, range: { readonly start: number; readonly end: number }): Pieces;
  /** Resolves also when there is no such file. */
  delete(fileId: string): Promise<void>;
}
