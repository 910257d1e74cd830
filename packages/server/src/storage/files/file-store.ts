import type { Pieces } from "../storage.ts";

/**
 * Where the bytes of attachments are. It knows nothing of who owns them: the database does. What is written under an id
 * is never changed.
 */
export interface FileStore {
  /** Stands in the database beside each file, so that it is read where it was written. */
  readonly name: "database" | "folder" | "s3";
  /** The most memory that the writing of one file takes, in bytes. */
  readonly heldBytes: number;
  /** Resolves when the file is on the disk, should the machine lose its power. What a failed write leaves, `delete` takes. */
  write(fileId: string, pieces: Pieces): Promise<void>;
  /** Bytes from `start` on, up to `end`, which is not among them. Rejects when there is no such file. */
  read(fileId: string, range: { readonly start: number; readonly end: number }): Pieces;
  /** A file that is not there is deleted already. */
  delete(fileId: string): Promise<void>;
}
