import type { Attachment, Message, Thread } from "@nitka/protocol";
import type { Owner } from "./owner.ts";
import type { MessageNode, NewRun, StoredRun, StoredThread, ThreadStanding } from "./stored.ts";
import type { Spender, TokenBudget, UsageStorage, UsedTokens } from "./usage.ts";

export type { Owner } from "./owner.ts";
export type { MessageNode, NewRun, StoredRun, StoredThread, ThreadStanding } from "./stored.ts";

/** What is known of a run's cost when it begins. */
export interface ExpectedCost {
  readonly modelId: string;
  /**
   * What it sends beside the conversation before, reckoned. With what the answer before it took, this counts as used
   * while the run goes on, and if its process dies.
   */
  readonly inputTokens: number;
}

export interface BeginOptions {
  readonly regenerate: boolean;
  readonly at: string;
  /** Runs of the owner that may go on at one time. */
  readonly limit?: number | null;
  readonly cost?: ExpectedCost;
  readonly budget?: TokenBudget | undefined;
}

/** An event of a run's log, as it went to the readers. `seq` counts from 1 without gaps in each run. */
export interface LoggedEvent {
  readonly runId: string;
  readonly seq: number;
  /** The event's JSON. */
  readonly data: string;
}

/** What the process that pumped a run knows of its log at the run's end. */
export interface RunLogEnd {
  /** The number of the run's last event. */
  readonly seq: number;
  /** The events that may not have been appended yet. */
  readonly tail: readonly LoggedEvent[];
  /** The instance that pumped the run. */
  readonly instanceId: string;
}

/** What is stored with a run's end, beside its answer. */
export interface EndOptions {
  readonly log?: RunLogEnd;
  /** What the calls of its models took: added to the day's usage in the same transaction. */
  readonly used?: readonly UsedTokens[];
}

export type BeginRun =
  | { readonly outcome: "begun"; readonly run: StoredRun }
  /** The question is already known: its latest run. */
  | { readonly outcome: "known"; readonly run: StoredRun }
  /** A run goes on in the thread: another question's, or this one's when it was to be regenerated. */
  | { readonly outcome: "busy"; readonly run: StoredRun }
  /** The owner has `limit` runs going on. */
  | { readonly outcome: "full"; readonly running: number }
  /** The day's tokens are used up. */
  | { readonly outcome: "spent"; readonly whose: Spender }
  /** The id of the question, or of the answer, belongs to another message of the thread. */
  | { readonly outcome: "taken" }
  /** No such thread (any more), no such message as the question's parent, no such question to regenerate. */
  | { readonly outcome: "missing"; readonly what: "thread" | "parent" | "question" };

/** What became of a thread that was archived: the run that is to be cancelled, if one went on. */
export interface ArchivedThread {
  readonly running?: StoredRun;
}

/** What came to a run's log; with the run's end nothing follows. */
export interface LogBatch {
  readonly events: readonly LoggedEvent[];
  /** `broken`: the log lacks events, which are in the stored answer alone. */
  readonly end?: "whole" | "broken";
}

/** A thread of a visitor, archived or not, with all that is kept of it. What it holds is read as it is asked for. */
export interface ExportedThread {
  readonly thread: StoredThread & { readonly archivedAt?: string };
  readonly messages: AsyncIterable<Message>;
  readonly attachments: AsyncIterable<ExportedAttachment>;
}

export interface ExportedAttachment {
  readonly attachment: Attachment & { readonly createdAt: string };
  readonly pieces: Pieces;
}

/**
 * The database cannot be asked now: it is down, locked, full or not writable. Nothing is known to be wrong with the
 * request; trying again later may help. `cause` keeps the driver's own error.
 */
export class StorageUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StorageUnavailableError";
  }
}

/**
 * Times are ISO 8601 and come from the caller; so do ids. What a promise resolves for is kept through the death of the
 * process, and what a visitor or an answer's end has written through a loss of power too; events and checkpoints of a
 * run that goes on may then lose their last seconds. NUL and lone surrogates are taken out of every text on the way in.
 */
export interface Storage {
  /** The instance that signals reach through this storage; absent where the database has one instance alone. */
  readonly instanceId?: string;
  readonly threads: {
    /**
     * Not archived, newest first; those after `before` (a thread's id) in that order: none after an unknown one. `at` is
     * that thread's `updatedAt` as it was listed: with it, the page goes on from there though the thread has moved up.
     */
    list(
      owner: Owner,
      page: { readonly limit: number; readonly before?: string; readonly at?: string },
    ): Promise<readonly Thread[]>;
    count(owner: Owner): Promise<number>;
    /** Archived threads and other owners' are not found. */
    find(owner: Owner, threadId: string): Promise<StoredThread | undefined>;
    /** A title that the thread is created with counts as the visitor's. */
    create(owner: Owner, thread: Thread): Promise<void>;
    /** Returns whether the title was taken: a model's is not where a visitor has given one. */
    rename(owner: Owner, threadId: string, title: string, by: "visitor" | "model"): Promise<boolean>;
    /** `undefined` when there is no such thread. Its attachments go with it; its run is the caller's to cancel. */
    archive(owner: Owner, threadId: string, at: string): Promise<ArchivedThread | undefined>;
    /** The branch to show is from now on the one that this message is in. An unknown message changes nothing. */
    setHead(owner: Owner, threadId: string, messageId: string): Promise<void>;
  };
  readonly messages: {
    /** Every branch, parents before children, the shown branch's end last. What they say is not read. */
    tree(owner: Owner, threadId: string): Promise<readonly MessageNode[]>;
    /** Those of these messages that are there, parents before children. */
    read(owner: Owner, threadId: string, messageIds: readonly string[]): Promise<readonly Message[]>;
    find(owner: Owner, threadId: string, messageId: string): Promise<Message | undefined>;
    /**
     * The same message as JSON, in pieces of bounded size that are read as they are asked for; nothing when it is not
     * there. For a question: an answer may change in between.
     */
    text(owner: Owner, threadId: string, messageId: string): AsyncIterable<string>;
  };
  readonly runs: {
    /**
     * In one transaction: stores the question unless it is known, the empty answer as `running`, the run, binds the
     * attachments that the question names to it, those in its parts too, bumps the thread and makes the answer its head. With `regenerate` a known question
     * begins another run; without, it is `known`. Exact under concurrency, on any number of instances: a thread has
     * at most one run going on, an owner at most `limit`, and none begins when its `budget` is used up.
     */
    begin(owner: Owner, run: NewRun, question: Message, options: BeginOptions): Promise<BeginRun>;
    /**
     * The folded answer so far, and the `seq` that it covers: what the history shows while the run goes on. Recovery
     * folds the log itself, so this need not be often. Does nothing when the run is over.
     */
    checkpoint(runId: string, answer: Message, seq: number, at: string): Promise<void>;
    /**
     * Stores the answer at its end, its `status` the run's, and appends the `log`'s tail in the same transaction; bumps the
     * thread and tells every instance that the run has `ended`. Returns false, and changes nothing, when the run was
     * over already (or its thread is purged).
     *
     * One exception: a run that another instance has taken for dead and interrupted. The answer of the instance that
     * pumped it replaces the interrupted one, as long as nothing was asked or answered in the thread after it.
     */
    end(runId: string, answer: Message, at: string, options?: EndOptions): Promise<boolean>;
    /** Whose the run is now: its thread may have been claimed since it began. `undefined` when it is gone. */
    ownerOf(runId: string): Promise<Owner | undefined>;
    findRunning(owner: Owner, threadId: string): Promise<StoredRun | undefined>;
    /** What a question meets in its thread, in one look; `undefined` when there is no such thread. */
    standing(owner: Owner, threadId: string, questionId: string): Promise<ThreadStanding | undefined>;
    /**
     * Says that the instance is alive, by the database's clock. Returns the runs of its own that are `running`: one
     * that it does not pump must be interrupted, for nobody else will.
     */
    heartbeat(instanceId: string): Promise<readonly string[]>;
    /**
     * Ends those of the runs that are `running`. Their answers are what their logs fold to, `incomplete` as
     * `interrupted`; every instance is told that they have `ended`. Their tokens are estimated: nobody is left who could
     * tell them.
     */
    interrupt(runIds: readonly string[], at: string): Promise<readonly StoredRun[]>;
    /**
     * Interrupts, each by exactly one caller, the runs whose instance was not heard of for `staleMs`, and which began
     * longer ago than that: all by the database's clock.
     */
    interruptStale(staleMs: number, at: string): Promise<readonly StoredRun[]>;
    countRunning(owner: Owner): Promise<number>;
    /** Drops the logs of runs that ended longer than `keptMs` ago, some of them later than others. */
    forget(keptMs: number): Promise<void>;
  };
  readonly events: {
    /**
     * How many milliseconds of a run's events to gather before they are appended: few while another instance reads
     * along, more where the log is only for recovery. What is not appended yet is lost with the process.
     */
    flushMs(runId: string): number;
    /**
     * Appends in one transaction; other instances are told once. Appending again what may or may not have been written
     * (after an error) doubles nothing, also when more has joined the batch since.
     */
    append(events: readonly LoggedEvent[]): Promise<void>;
    read(runId: string, afterSeq: number): Promise<readonly LoggedEvent[]>;
    /**
     * Reads along with a run of any instance: each later event once, in order, soon after it was appended, and at last
     * its `end`. Behind a gap that does not close there is nothing but a `broken` end. For a run that this instance pumps itself, its own memory is the shorter way. Returns its stop.
     */
    follow(runId: string, afterSeq: number, listener: (batch: LogBatch) => void): () => void;
  };
  readonly signals: {
    /** Tells every instance, this one too, that something happened to a run. A `cancel` is kept until it is seen. */
    publish(signal: RunSignal): Promise<void>;
    /** What other instances append is told as `events`; this one's own is not. Returns its stop. */
    subscribe(listener: (signal: RunSignal) => void): () => void;
  };
  readonly attachments: {
    /**
     * Sets room aside for a file that is to be written under this id. `full` when all that the owner has, unsent files
     * and those being written too, would come to more than `limit` bytes, `project full` when all that the project has
     * would come to more than `projectLimit`: exact under concurrency. `missing` when the
     * owner has no such thread. Asked again for the same file, the room takes the place of the one before. What does
     * not become an attachment before `until` is dropped.
     */
    reserve(owner: Owner, threadId: string, room: FileRoom): Promise<"reserved" | "full" | "project full" | "missing">;
    /** The most memory that the writing of one file takes, in bytes. */
    readonly heldBytes: number;
    /** Writes the bytes of a file that has room. A piece may be used again once the next one is asked for. */
    write(fileId: string, pieces: Pieces): Promise<void>;
    /**
     * Makes a written file an attachment, bound to a message or not sent yet. Returns false when its room has expired,
     * or when the owner's thread is gone.
     */
    create(owner: Owner, threadId: string, attachment: Attachment, options: NewAttachment): Promise<boolean>;
    /** Drops a file that is to become no attachment. */
    release(fileId: string): Promise<void>;
    find(owner: Owner, attachmentId: string): Promise<StoredAttachment | undefined>;
    /** Those of these attachments that the owner has. */
    findAll(owner: Owner, attachmentIds: readonly string[]): Promise<readonly StoredAttachment[]>;
    /** The attachment's bytes, all of them or those of a range: read as they are asked for. */
    read(owner: Owner, attachmentId: string, range?: ByteRange): Promise<Pieces | undefined>;
    /** How many a thread holds, sent or not. */
    count(owner: Owner, threadId: string): Promise<number>;
    /** Drops what was uploaded before `before` and never sent. Returns how many. */
    expire(before: string): Promise<number>;
    /** Deletes the bytes of attachments that are gone, and of files whose writing broke off. Returns how many files. */
    sweep(at: string): Promise<number>;
  };
  readonly visitors: {
    /** Everything that is kept of a visitor. Read a thread's messages and attachments before the next thread. */
    export(owner: Owner): AsyncIterable<ExportedThread>;
    /** Drops everything of a visitor for good; what runs is told to `cancel`. Returns how many threads there were. */
    purge(owner: Owner): Promise<number>;
    /**
     * Moves everything of one visitor to another one of the same project: threads, archived ones too, with all that is
     * theirs, the runs that go on in them, and the tokens used. Exact under concurrency: a run that begins meanwhile goes
     * with its thread, or finds none. Returns how many threads there were that are not archived.
     */
    claim(from: Owner, visitorId: string): Promise<number>;
    /** Drops a project's threads not touched since `before`, archived ones too, unless they run. Returns how many. */
    expire(projectId: string, before: string): Promise<number>;
    /** Drops a project's threads archived before `before`, unless they run. Returns how many. */
    expireArchived(projectId: string, before: string): Promise<number>;
    /** Every project of which a visitor's thread or usage is kept. */
    projects(): Promise<readonly string[]>;
  };
  /**
   * Takes what was dropped out of the database's files, and gives the freed space back, as far as the database does not
   * do so by itself. What `purge` drops is out when it resolves.
   */
  reclaim(): Promise<void>;
  /** How the storage fares, for operators. */
  figures(): StorageFigures;
  /** Bytes on the disk by table, with indexes and long values. A database that keeps all in one file names it `all`. */
  tableBytes(): Promise<Readonly<Record<string, number>>>;
  readonly usage: UsageStorage;
  /** Rejects when the database cannot be asked. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StorageFigures {
  /** Queries that wait for a connection now. */
  readonly waiting?: number;
  /** Milliseconds that all queries together have waited for one. */
  readonly waitedMs?: number;
  /** Whether what other instances say is heard at once. */
  readonly listening?: boolean;
}

/** Where a storage says what it survives. The server's own log has this shape. */
export interface StorageLog {
  info(fields: Readonly<Record<string, unknown>>, text: string): void;
  warn(fields: Readonly<Record<string, unknown>>, text: string): void;
}

/** Bytes in pieces of bounded size. */
export type Pieces = AsyncIterable<Uint8Array>;

/** Bytes from `start` up to `end`, which is not among them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface FileRoom {
  readonly fileId: string;
  /** At most so many will be written. */
  readonly bytes: number;
  readonly until: string;
  /** Of the owner's bytes; `null` for no limit. */
  readonly limit: number | null;
  /** Of the project's. */
  readonly projectLimit?: number | null;
}

export interface NewAttachment {
  readonly at: string;
  /** The message that it belongs to from the beginning. */
  readonly messageId?: string;
}

/** An attachment and where it is. */
export interface StoredAttachment {
  readonly attachment: Attachment;
  readonly threadId: string;
  /** The message that it was sent with; absent before. */
  readonly messageId?: string;
}

/** `events`: a run's log has grown; `cancel`: its owner is to stop it; `ended`: it is over. */
export interface RunSignal {
  readonly type: "events" | "cancel" | "ended";
  readonly runId: string;
}
