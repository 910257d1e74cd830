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
  /** `before` is the rating until now. */
  | { readonly outcome: "rated"; readonly before: Feedback["rating"] | null }
  | { readonly outcome: "question" }
  | { readonly outcome: "missing" };

/** The run of an archived thread that the caller has to cancel, if one is running. */
export interface ArchivedThread {
  readonly running?: StoredRun;
}

/** A thread in a visitor's export. What it has is read as it is iterated. */
export interface ExportedThread {
  readonly thread: StoredThread & { readonly createdAt: string; readonly archivedAt?: string };
  readonly messages: AsyncIterable<Message>;
  readonly runs: AsyncIterable<ExportedRun>;
  readonly approvals: AsyncIterable<ExportedApproval>;
  readonly attachments: AsyncIterable<ExportedAttachment>;
}

/** An answer's run in a visitor's export. */
export type ExportedRun = Omit<StoredRun, "runId" | "threadId" | "instanceId" | "checkpointSeq"> & Partial<EndFigures>;

/** That a visitor has agreed to a version of the project's `consent`. */
export interface StoredConsent {
  readonly version: string;
  readonly at: string;
}

export interface ExportedAttachment {
  readonly attachment: Attachment & { readonly createdAt: string };
  readonly pieces: Pieces;
}

/**
 * The database is unavailable: it is down, locked, full or not writable. The same request may work later. `cause` is the
 * driver's error.
 */
export class StorageUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StorageUnavailableError";
  }
}

/**
 * The store of files refuses a file for a reason that another try does not change: a wrong key, no such bucket, a full disk.
 * An operator has to act.
 */
export class FileRefusedError extends StorageUnavailableError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FileRefusedError";
  }
}

/** The bytes of a file that the database knows are not in its store, or not all of them: another try does not bring them back. */
export class FileLostError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FileLostError";
  }
}

/**
 * The interface to a database. Ids and times (ISO 8601) come from the caller.
 *
 * What a promise has resolved for survives the death of the process. It survives a loss of power too, but for the last
 * seconds of a running run's events and checkpoints. NUL and lone surrogates are removed from every stored text.
 */
export interface Storage {
  /** The instance that receives signals through this storage; absent where the database has only one instance. */
  readonly instanceId?: string;
  readonly threads: {
    /**
     * A page of the threads that are not archived, newest first: those after the thread `before`, none if that is
     * unknown. With `at`, the `updatedAt` that thread was listed with, the page continues there also if the thread has
     * moved up since.
     */
    list(
      owner: Owner,
      page: { readonly limit: number; readonly before?: string; readonly at?: string },
    ): Promise<readonly Thread[]>;
    count(owner: Owner): Promise<number>;
    /** `undefined` for archived threads and those of other owners. */
    find(owner: Owner, threadId: string): Promise<StoredThread | undefined>;
    /** A title given here counts as the visitor's. */
    create(owner: Owner, thread: Thread, telling?: Telling): Promise<void>;
    /** Returns whether the title was set: a model's does not replace a visitor's. */
    rename(owner: Owner, threadId: string, title: string, by: "visitor" | "model"): Promise<boolean>;
    /**
     * Archives a thread, whose attachments are reached and counted no longer. The caller cancels its run. `undefined` when
     * there is no such thread.
     */
    archive(owner: Owner, threadId: string, at: string): Promise<ArchivedThread | undefined>;
    /** Makes a thread reachable again as it was, if it was archived at `since` or later. */
    restore(owner: Owner, threadId: string, since: string): Promise<void>;
    /** Shows the branch of this message from now on. An unknown message changes nothing. */
    setHead(owner: Owner, threadId: string, messageId: string): Promise<void>;
  };
  readonly messages: {
    /** The messages of all branches without content: parents before children, the end of the shown branch last. */
    tree(owner: Owner, threadId: string): Promise<readonly MessageNode[]>;
    /** The messages that exist among these, parents before children. */
    read(owner: Owner, threadId: string, messageIds: readonly string[]): Promise<readonly Message[]>;
    find(owner: Owner, threadId: string, messageId: string): Promise<Message | undefined>;
    /**
     * The message as JSON, in pieces of bounded size that are read as they are iterated; no piece when it does not exist.
     * For questions: an answer may change between two pieces.
     */
    text(owner: Owner, threadId: string, messageId: string): AsyncIterable<string>;
    /** Stores what the visitor thinks of an answer; `null` removes it. Changes nothing for a question. */
    rate(
      owner: Owner,
      threadId: string,
      messageId: string,
      feedback: Feedback | null,
      telling?: Telling,
    ): Promise<RateOutcome>;
    /** Stores what to ask after an answer, if it is its thread's head. Returns whether it is. */
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
    /** Stores that the visitor agrees to a version. The first time counts. */
    agree(owner: Owner, consent: StoredConsent): Promise<void>;
    /** What the visitor has agreed to, oldest first. */
    consents(owner: Owner): Promise<readonly StoredConsent[]>;
    /** Everything that is stored of a visitor. What a thread has must be read before the next thread. */
    export(owner: Owner): AsyncIterable<ExportedThread>;
    /**
     * Deletes everything of a visitor; running runs get a `cancel`. Returns how many threads there were. `reclaim` says
     * whether another process still reads what was deleted. Webhooks are told at the end, with the last of it, and nothing
     * more from before.
     */
    purge(owner: Owner, telling?: ErasureTelling): Promise<number>;
    /** Drops the archived threads of a visitor but those `kept` that were archived last. */
    dropArchived(owner: Owner, kept: number): Promise<void>;
    /**
     * Gives everything of one visitor to another one of the same project: threads (archived ones too) with their contents
     * and running runs, the tokens used, and what that visitor has agreed to. Exact under concurrency: a run that begins at the same time moves with its
     * thread, or finds no thread. Returns how many of the threads are not archived.
     */
    claim(from: Owner, visitorId: string): Promise<number>;
    /** Drops the threads of a project that were not updated since `before`, unless a run is running. */
    expire(projectId: string, before: string): Parts;
    /** Drops the threads of a project that were archived before `before`, unless a run is running. */
    expireArchived(projectId: string, before: string): Parts;
    /** The projects that have a stored thread, or the usage or the consent of a visitor. */
    projects(): Promise<readonly string[]>;
  };
  /**
   * Removes deleted data from the database's files, where the database does not do so by itself; with `space` it also returns
   * the space to the file system. Resolves to `false` when another process still reads the data, such as a backup: then they
   * are removed soon after that has ended.
   */
  reclaim(what: "text" | "space"): Promise<boolean>;
  /** Figures for operators. */
  figures(): StorageFigures;
  /** Bytes on the disk by table, with indexes and long values. A database that keeps all in one file names it `all`. */
  tableBytes(): Promise<Readonly<Record<string, number>>>;
  readonly usage: UsageStorage;
  readonly webhooks: WebhookStorage;
  readonly desk: DeskStorage;
  /** Rejects when the database is unavailable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StorageFigures {
  /** Queries that are waiting for a connection. */
  readonly waiting?: number;
  /** Milliseconds that all queries together have waited for a connection. */
  readonly waitedMs?: number;
  /** Whether notifications of other instances arrive; otherwise runs of other instances are polled. */
  readonly listening?: boolean;
  /** The disk of the database, where it is this machine's. */
  readonly disk?: { readonly bytes: number; readonly freeBytes: number };
}

/** Where a storage logs lost connections and their return, and listeners that fail. The server's log has this shape. */
export interface StorageLog {
  info(fields: Readonly<Record<string, unknown>>, text: string): void;
  warn(fields: Readonly<Record<string, unknown>>, text: string): void;
}

/** Writes nothing: the default. */
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
