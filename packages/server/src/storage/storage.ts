import type { Attachment, Feedback, Message, Suggestion, Thread } from "@nitka/protocol";
import type { AttachmentStorage, Pieces } from "./attachments.ts";
import type { AwaitedCallStorage, ExportedApproval } from "./awaited-calls.ts";
import type { DeskStorage } from "./desk.ts";
import type { Owner } from "./owner.ts";
import type { Parts } from "./parts.ts";
import type { RunSignal } from "./run-signal.ts";
import type { EndFigures, FoundRun, MessageNode, NewRun, StoredEnd } from "./stored.ts";
import type { StoredRun, StoredThread, ThreadStanding } from "./stored.ts";
import type { Spender, TokenBudget, UsageStorage, UsedTokens } from "./usage.ts";

export type { ByteRange, Pieces, StoredAttachment } from "./attachments.ts";
export type { Owner } from "./owner.ts";
export type { Parts } from "./parts.ts";
export type { RunSignal } from "./run-signal.ts";
export type { EndFigures, FoundRun, MessageNode, NewRun, StoredEnd } from "./stored.ts";
export type { StoredRun, StoredThread, ThreadStanding } from "./stored.ts";

/** The expected cost of a run that begins. */
export interface ExpectedCost {
  readonly modelId: string;
  /**
   * The estimated tokens of what the run sends for the first time. These and the tokens of the answer before it count as
   * used while the run is running, and if its process dies.
   */
  readonly inputTokens: number;
}

export interface BeginOptions {
  readonly regenerate: boolean;
  readonly at: string;
  /** The most running runs of the owner; `null` for no limit. */
  readonly limit?: number | null;
  readonly cost?: ExpectedCost;
  readonly budget?: TokenBudget | undefined;
}

/** An event of a run's event log. */
export interface LoggedEvent {
  readonly runId: string;
  /** Counts from 1 without gaps in each run. */
  readonly seq: number;
  /** The event's JSON, as it went to the readers. */
  readonly data: string;
}

/** The end of a run's log, as the instance that wrote the run has it. */
export interface RunLogEnd {
  /** The `seq` of the run's last event. */
  readonly seq: number;
  /** The events that may not have been appended yet. */
  readonly tail: readonly LoggedEvent[];
  /** The instance that wrote the run. */
  readonly instanceId: string;
}

/** What is stored with a run's end beside its answer. */
export interface EndOptions {
  readonly log?: RunLogEnd;
  /** The tokens of its steps: added to the day's usage in the same transaction. */
  readonly used?: readonly UsedTokens[];
  readonly figures?: EndFigures;
}

export type BeginRun =
  | { readonly outcome: "begun"; readonly run: StoredRun }
  /** The question has a run already: its latest one. */
  | { readonly outcome: "known"; readonly run: StoredRun }
  /** Another run is running in the thread: of another question, or of this one when it is to be regenerated. */
  | { readonly outcome: "busy"; readonly run: StoredRun }
  /** The owner has `limit` running runs. */
  | { readonly outcome: "full"; readonly running: number }
  /** The day's tokens are used up. */
  | { readonly outcome: "spent"; readonly whose: Spender }
  /** The id of the question, or of the answer, belongs to another message of the thread. */
  | { readonly outcome: "taken" }
  /** There is no such thread, no message that is the question's parent, or no such question to regenerate. */
  | { readonly outcome: "missing"; readonly what: "thread" | "parent" | "question" };

export type RateOutcome =
  /** `before` is the rating until now. */
  | { readonly outcome: "rated"; readonly before: Feedback["rating"] | null }
  | { readonly outcome: "question" }
  | { readonly outcome: "missing" };

/** The run of an archived thread that the caller has to cancel, if one is running. */
export interface ArchivedThread {
  readonly running?: StoredRun;
}

/** New events of a run's log. A batch with an `end` is the last one. */
export interface LogBatch {
  readonly events: readonly LoggedEvent[];
  /** `broken`: events are missing from the log; only the stored answer has them. */
  readonly end?: "whole" | "broken";
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
    create(owner: Owner, thread: Thread): Promise<void>;
    /** Returns whether the title was set: a model's does not replace a visitor's. */
    rename(owner: Owner, threadId: string, title: string, by: "visitor" | "model"): Promise<boolean>;
    /** Archives a thread and deletes its attachments. The caller cancels its run. `undefined` when there is no such thread. */
    archive(owner: Owner, threadId: string, at: string): Promise<ArchivedThread | undefined>;
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
    rate(owner: Owner, threadId: string, messageId: string, feedback: Feedback | null): Promise<RateOutcome>;
    /** Stores what to ask after an answer, if it is its thread's head. Returns whether it is. */
    suggest(owner: Owner, threadId: string, messageId: string, suggestions: readonly Suggestion[]): Promise<boolean>;
  };
  readonly runs: {
    /**
     * Begins a run in one transaction: stores the question if it is new, an empty `running` answer and the run, binds the
     * attachments of the question (those in its parts too), bumps the thread and makes the answer its head.
     *
     * A question with a run is `known`; with `regenerate` it begins another one. On any number of instances at once, a
     * thread has at most one running run and an owner at most `limit`, and no run begins when its `budget` is used up.
     */
    begin(owner: Owner, run: NewRun, question: Message, options: BeginOptions): Promise<BeginRun>;
    /**
     * Stores the answer so far and the `seq` of its last event: what the history shows while the run is running. It need
     * not be often, since recovery folds the log. Does nothing when the run is over.
     */
    checkpoint(runId: string, answer: Message, seq: number, at: string): Promise<void>;
    /**
     * Ends a run in one transaction: stores the answer with its final status, appends the `log`'s tail, and bumps the
     * thread. Then the instances that follow the run receive `ended`. Resolves to `false` when the run had ended before, or
     * its thread is purged: nothing has changed then.
     *
     * One exception: a run that another instance has interrupted as stale. The answer of the instance that wrote it
     * replaces the interrupted one, as long as the thread has no later message.
     */
    end(runId: string, answer: Message, at: string, options?: EndOptions): Promise<boolean>;
    /** The owner of a run now: its thread may have been claimed since it began. `undefined` when it is gone. */
    ownerOf(runId: string): Promise<Owner | undefined>;
    findRunning(owner: Owner, threadId: string): Promise<FoundRun | undefined>;
    /** The end of a run, for those who read it as its thread's owner when they came. `undefined` when the run is gone. */
    findEnd(runId: string): Promise<StoredEnd | undefined>;
    /** The state of a thread that decides about a question; `undefined` when there is no such thread. */
    standing(owner: Owner, threadId: string, questionId: string): Promise<ThreadStanding | undefined>;
    /**
     * Stores that the instance is alive, by the database's clock. Returns the running runs of the instance: it must
     * interrupt those that it does not write, since no other instance will.
     */
    heartbeat(instanceId: string): Promise<readonly string[]>;
    /**
     * Ends those of the runs that are running. Their answers become what their logs fold to, `incomplete` with the reason
     * `interrupted`; blocks that the log leaves open are ended in it. Then every instance receives `ended`. Their tokens
     * are estimated: only the lost process knew them. A run whose thread is locked is left for a later call.
     */
    interrupt(runIds: readonly string[], at: string): Promise<readonly StoredRun[]>;
    /**
     * Interrupts the running runs that began more than `staleMs` ago and whose instance has had no heartbeat for as long,
     * by the database's clock. Of several callers at once exactly one interrupts a run. A call interrupts a part of them:
     * there may be more until one returns none.
     */
    interruptStale(staleMs: number, at: string): Promise<readonly StoredRun[]>;
    countRunning(owner: Owner): Promise<number>;
    /** Drops the logs of runs that ended more than `keptMs` ago. Some may be kept until a later call. */
    forget(keptMs: number): Parts;
  };
  readonly events: {
    /**
     * How many milliseconds of a run's events to gather before they are appended: few while another instance follows the
     * run, more while the log is only for recovery. Events that are not appended yet are lost with the process.
     */
    flushMs(runId: string): number;
    /**
     * Appends in one transaction, and notifies other instances once. After an error the same events can be appended again,
     * alone or with later ones: none is stored twice.
     */
    append(events: readonly LoggedEvent[]): Promise<void>;
    read(runId: string, afterSeq: number): Promise<readonly LoggedEvent[]>;
    /**
     * Follows a run of any instance: the listener gets each later event once and in order, soon after it was appended, and
     * at last an `end`. After a gap that does not close it gets only a `broken` end. Readers of a run that this instance
     * writes itself need no follower: the events are in its memory. Returns a function that stops it.
     */
    follow(runId: string, afterSeq: number, listener: (batch: LogBatch) => void): () => void;
  };
  readonly signals: {
    /** Sends a signal to every instance, this one included. A `cancel` is stored until the run's instance has seen it. */
    publish(signal: RunSignal): Promise<void>;
    /** `events` comes for appends of other instances only. Returns a function that unsubscribes. */
    subscribe(listener: (signal: RunSignal) => void): () => void;
  };
  readonly attachments: AttachmentStorage;
  readonly awaitedCalls: AwaitedCallStorage;
  readonly visitors: {
    /** Everything that is stored of a visitor. What a thread has must be read before the next thread. */
    export(owner: Owner): AsyncIterable<ExportedThread>;
    /**
     * Deletes everything of a visitor; running runs get a `cancel`. Returns how many threads there were. `reclaim` says
     * whether another process still reads what was deleted.
     */
    purge(owner: Owner): Promise<number>;
    /** Drops the archived threads of a visitor but those `kept` that were archived last. */
    dropArchived(owner: Owner, kept: number): Promise<void>;
    /**
     * Gives everything of one visitor to another one of the same project: threads (archived ones too) with their contents
     * and running runs, and the tokens used. Exact under concurrency: a run that begins at the same time moves with its
     * thread, or finds no thread. Returns how many of the threads are not archived.
     */
    claim(from: Owner, visitorId: string): Promise<number>;
    /** Drops the threads of a project that were not updated since `before`, unless a run is running. */
    expire(projectId: string, before: string): Parts;
    /** Drops the threads of a project that were archived before `before`, unless a run is running. */
    expireArchived(projectId: string, before: string): Parts;
    /** The projects that have a stored thread, or the usage of a visitor. */
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
}

/** Where a storage logs lost connections and their return, and listeners that fail. The server's log has this shape. */
export interface StorageLog {
  info(fields: Readonly<Record<string, unknown>>, text: string): void;
  warn(fields: Readonly<Record<string, unknown>>, text: string): void;
}

/** Writes nothing: the default. */
export const silentStorageLog: StorageLog = { info: () => undefined, warn: () => undefined };
