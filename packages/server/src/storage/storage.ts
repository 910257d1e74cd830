import type { Attachment, Feedback, Message, Suggestion, Thread } from "@nitka/protocol";
import type { AttachmentStorage, Pieces } from "./attachments.ts";
import type { AwaitedCallStorage, ExportedApproval } from "./awaited-calls.ts";
import type { DeskStorage } from "./desk.ts";
import type { EventStorage, RunStorage, SignalStorage } from "./runs.ts";
import type { SearchStorage } from "./search.ts";
import type { EndFigures, MessageNode, Owner, Parts, StoredRun, StoredThread } from "./stored.ts";
import type { UnansweredStorage } from "./unanswered.ts";
import type { UsageStorage } from "./usage.ts";
import type { ErasureTelling, Telling, WebhookStorage } from "./webhooks.ts";

export type { ByteRange, Pieces, StoredAttachment } from "./attachments.ts";
export type * from "./runs.ts";
export type * from "./stored.ts";

export type RateOutcome =
  /** `before` is the rating before this change. */
  | { readonly outcome: "rated"; readonly before: Feedback["rating"] | null }
  | { readonly outcome: "question" }
  | { readonly outcome: "missing" };

/** An archived thread, with the running run that the caller has to cancel. */
export interface ArchivedThread {
  readonly running?: StoredRun;
}

/** A thread in a visitor's export. Its contents are read as they are iterated. */
export interface ExportedThread {
  readonly thread: StoredThread & { readonly createdAt: string; readonly archivedAt?: string };
  readonly messages: AsyncIterable<Message>;
  readonly runs: AsyncIterable<ExportedRun>;
  readonly approvals: AsyncIterable<ExportedApproval>;
  readonly attachments: AsyncIterable<ExportedAttachment>;
}

/** An answer's run in a visitor's export. */
export type ExportedRun = Omit<StoredRun, "runId" | "threadId" | "instanceId" | "checkpointSeq"> & Partial<EndFigures>;

/** A visitor's consent to a version of the project's `consent`. */
export interface StoredConsent {
  readonly version: string;
  readonly at: string;
}

export interface ExportedAttachment {
  readonly attachment: Attachment & { readonly createdAt: string };
  readonly pieces: Pieces;
}

/**
 * The database is unavailable: it is down, locked, full or not writable. The same request may succeed later. `cause` is
 * the driver's error.
 */
export class StorageUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StorageUnavailableError";
  }
}

/**
 * The store of files refuses a file for a reason that a retry does not change: a wrong key, a missing bucket, a full
 * disk. An operator has to act.
 */
export class FileRefusedError extends StorageUnavailableError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FileRefusedError";
  }
}

/**
 * The bytes of a file that the database knows are partly or completely missing from its store. A retry does not bring
 * them back.
 */
export class FileLostError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FileLostError";
  }
}

/**
 * The interface to a database. The caller supplies ids and times (ISO 8601).
 *
 * When a promise has resolved, its change survives the death of the process. It also survives a power loss, except for
 * the last seconds of a running run's events and checkpoints. NUL and lone surrogates are removed from every stored
 * text.
 */
export interface Storage {
  /**
   * The id of the instance that receives signals through this storage; absent when the database supports only one
   * instance.
   */
  readonly instanceId?: string;
  readonly threads: {
    /**
     * A page of the threads that are not archived, newest first: those after the thread `before`, none if that thread
     * is unknown. `at` is the `updatedAt` with which that thread was listed: with it the page continues at that place
     * even if the thread has moved up since.
     */
    list(
      owner: Owner,
      page: { readonly limit: number; readonly before?: string | undefined; readonly at?: string | undefined },
    ): Promise<readonly Thread[]>;
    count(owner: Owner): Promise<number>;
    /** `undefined` for archived threads and for threads of other owners. */
    find(owner: Owner, threadId: string): Promise<StoredThread | undefined>;
    /** A title given here counts as set by the visitor. */
    create(owner: Owner, thread: Thread, telling?: Telling): Promise<void>;
    /** Returns whether the title was set: a title by the model does not replace a title by the visitor. */
    rename(owner: Owner, threadId: string, title: string, by: "visitor" | "model"): Promise<boolean>;
    /**
     * Archives a thread. Its attachments are no longer reachable and no longer count. The caller cancels its run.
     * `undefined` when there is no such thread.
     */
    archive(owner: Owner, threadId: string, at: string): Promise<ArchivedThread | undefined>;
    /** Restores an archived thread unchanged, if it was archived at `since` or later. */
    restore(owner: Owner, threadId: string, since: string): Promise<void>;
    /** Makes the branch of this message the shown one. An unknown message changes nothing. */
    setHead(owner: Owner, threadId: string, messageId: string): Promise<void>;
  };
  readonly messages: {
    /**
     * The messages of all branches, without content. Parents come before children, and the end of the shown branch is
     * last.
     */
    tree(owner: Owner, threadId: string): Promise<readonly MessageNode[]>;
    /** Those of these messages that exist, parents before children. */
    read(owner: Owner, threadId: string, messageIds: readonly string[]): Promise<readonly Message[]>;
    find(owner: Owner, threadId: string, messageId: string): Promise<Message | undefined>;
    /**
     * The message as JSON, in pieces of bounded size that are read as they are iterated; no piece when the message does
     * not exist. Only for questions: an answer could change between two pieces.
     */
    text(owner: Owner, threadId: string, messageId: string): AsyncIterable<string>;
    /** Stores the visitor's feedback on an answer; `null` removes it. Changes nothing for a question. */
    rate(
      owner: Owner,
      threadId: string,
      messageId: string,
      feedback: Feedback | null,
      telling?: Telling,
    ): Promise<RateOutcome>;
    /** Stores the suggestions after an answer, if the answer is its thread's head. Returns whether it is. */
    suggest(owner: Owner, threadId: string, messageId: string, suggestions: readonly Suggestion[]): Promise<boolean>;
  };
  readonly search: SearchStorage;
  readonly runs: RunStorage;
  readonly events: EventStorage;
  readonly signals: SignalStorage;
  readonly attachments: AttachmentStorage;
  readonly awaitedCalls: AwaitedCallStorage;
  readonly unanswered: UnansweredStorage;
  readonly visitors: {
    /** Stores that the visitor accepts a version. Only the first time counts. */
    agree(owner: Owner, consent: StoredConsent): Promise<void>;
    /** The versions that the visitor has accepted, oldest first. */
    consents(owner: Owner): Promise<readonly StoredConsent[]>;
    /** Everything that is stored about a visitor. The contents of a thread must be read before the next thread. */
    export(owner: Owner): AsyncIterable<ExportedThread>;
    /**
     * Deletes everything of a visitor; running runs get a `cancel`. Returns the number of threads. `reclaim` says
     * whether another process is still reading the deleted data. The erasure is stored for webhooks at the end, in the
     * last transaction, and earlier events of the visitor are no longer sent.
     */
    purge(owner: Owner, telling?: ErasureTelling): Promise<number>;
    /** Drops the archived threads of a visitor, except for the `kept` most recently archived ones. */
    dropArchived(owner: Owner, kept: number): Promise<void>;
    /**
     * Transfers everything of one visitor to another visitor of the same project: threads (archived ones too) with
     * their contents and running runs, the tokens used, and the consents. Exact under concurrency: a run that begins at
     * the same time moves with its thread, or finds no thread. Returns how many of the threads are not archived.
     */
    claim(from: Owner, visitorId: string): Promise<number>;
    /** Drops a project's threads that were last updated before `before` and have no running run. */
    expire(projectId: string, before: string): Parts;
    /** Drops a project's threads that were archived before `before` and have no running run. */
    expireArchived(projectId: string, before: string): Parts;
    /** The projects that have a stored thread, or a visitor's usage or consent. */
    projects(): Promise<readonly string[]>;
  };
  /**
   * Removes deleted data from the database's files, if the database does not do so automatically. With `space` it also
   * returns the space to the file system. Resolves to `false` when another process, such as a backup, is still reading
   * the data: it is removed soon after that process has ended.
   */
  reclaim(what: "text" | "space"): Promise<boolean>;
  /** Figures for operators. */
  figures(): StorageFigures;
  /**
   * Bytes on the disk by table, including indexes and long values. A database that keeps everything in one file has the
   * single name `all`.
   */
  tableBytes(): Promise<Readonly<Record<string, number>>>;
  readonly usage: UsageStorage;
  readonly webhooks: WebhookStorage;
  readonly desk: DeskStorage;
  /** Rejects when the database is unavailable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StorageFigures {
  /** The number of queries that wait for a connection. */
  readonly waiting?: number;
  /** The total milliseconds that queries have waited for a connection. */
  readonly waitedMs?: number;
  /** Whether notifications of other instances arrive. If not, runs of other instances are polled. */
  readonly listening?: boolean;
  /** The disk of the database, if it is on this machine. */
  readonly disk?: { readonly bytes: number; readonly freeBytes: number };
}

/** Where a storage logs lost and restored connections, and listeners that fail. The server's log has this shape. */
export interface StorageLog {
  info(fields: Readonly<Record<string, unknown>>, text: string): void;
  warn(fields: Readonly<Record<string, unknown>>, text: string): void;
}

/** The default log, which writes nothing. */
export const silentStorageLog: StorageLog = { info: () => undefined, warn: () => undefined };

/** The database is available, but its schema has another version than this program needs. */
export class SchemaVersionError extends StorageUnavailableError {
  override readonly name = "SchemaVersionError";
  /** The version of the database's schema: 0 when there is none. */
  readonly version: number;

  /** Whether a migration would bring it to the required version. */
  readonly isEarlier: boolean;

  constructor(message: string, version: number, isEarlier: boolean) {
    super(message);
    this.version = version;
    this.isEarlier = isEarlier;
  }
}
