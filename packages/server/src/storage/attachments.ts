import type { Attachment } from "@nitka/protocol";
import type { Owner, Parts } from "./stored.ts";

/** The files of questions and answers: their bytes, and the message that each belongs to. */
export interface AttachmentStorage {
  /**
   * Reserves room for a file before it is written. Returns `full` when the owner's files would exceed `limit` bytes,
   * counting unsent and unfinished ones; `project full` when the project's files would exceed `projectLimit`; `missing`
   * when the owner has no such thread. A file that is due for deletion is `missing` too. The check is exact under
   * concurrency. A second reservation for the same file replaces the first. A file that is not an attachment by `until`
   * is dropped.
   */
  reserve(owner: Owner, threadId: string, room: FileRoom): Promise<"reserved" | "full" | "project full" | "missing">;
  /** The most memory that writing one file takes, in bytes. */
  readonly heldBytes: number;
  /** Writes a file that has room. The caller may reuse a piece's buffer once the next piece is requested. */
  write(fileId: string, pieces: Pieces): Promise<void>;
  /**
   * Makes an attachment of a written file, bound to a message or not sent yet. Returns false when its room has expired
   * or the owner has no such thread.
   */
  create(owner: Owner, threadId: string, attachment: Attachment, options: NewAttachment): Promise<boolean>;
  /** Drops a file that will not become an attachment, and its room. A file that is already an attachment stays. */
  release(fileId: string): Promise<void>;
  find(owner: Owner, attachmentId: string): Promise<StoredAttachment | undefined>;
  /** The attachments of the owner among these. */
  findAll(owner: Owner, attachmentIds: readonly string[]): Promise<readonly StoredAttachment[]>;
  /** The bytes of an attachment, or a range of them, read as they are iterated. */
  read(owner: Owner, attachmentId: string, range?: ByteRange): Promise<Pieces | undefined>;
  /** The number of a thread's attachments, sent or not. */
  count(owner: Owner, threadId: string): Promise<number>;
  /** Drops attachments that were uploaded before `before` and never sent. */
  expire(before: string): Parts;
  /** Drops the attachments of threads that were archived before `before`. */
  expireArchived(before: string): Parts;
  /**
   * Deletes the bytes of dropped attachments and of unfinished files that are due at `at`. Several instances can share
   * the work. A later call retries a file that could not be deleted.
   */
  sweep(at: string): Parts;
}

/** Bytes in pieces of bounded size. */
export type Pieces = AsyncIterable<Uint8Array>;

/** The bytes from `start` (inclusive) to `end` (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface FileRoom {
  readonly fileId: string;
  /** The most bytes that may be written. */
  readonly bytes: number;
  /** When the room expires. */
  readonly until: string;
  /** The owner's limit in bytes; `null` for no limit. */
  readonly limit: number | null;
  /** The project's limit in bytes; `null` for no limit. */
  readonly projectLimit?: number | null;
}

export interface NewAttachment {
  readonly at: string;
  /** The message that it is sent with; absent while it is not sent. */
  readonly messageId?: string;
}

/** An attachment with its thread and message. */
export interface StoredAttachment {
  readonly attachment: Attachment;
  readonly threadId: string;
  /** Absent until it is sent. */
  readonly messageId?: string;
}
