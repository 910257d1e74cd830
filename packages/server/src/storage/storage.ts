import type { Attachment, Message, Thread } from "@nitka/protocol";

/** Whose data: a visitor of a project. Whatever a visitor may reach takes one, so that it cannot be forgotten. */
export interface Owner {
  readonly projectId: string;
  readonly visitorId: string;
}

export interface StoredThread extends Thread {
  /** Who gave the title: a visitor's is never replaced by a model's. */
  readonly titledBy?: "visitor" | "model";
  /** The end of the branch to show. */
  readonly headId?: string;
}

export interface StoredRun {
  readonly runId: string;
  readonly threadId: string;
  readonly questionId: string;
  readonly answerId: string;
  readonly status: "running" | "complete" | "incomplete";
  readonly instanceId: string;
}

/** An event of a run's log, as it went to the readers. `seq` counts from 1 without gaps in each run. */
export interface LoggedEvent {
  readonly runId: string;
  readonly seq: number;
  /** The event's JSON. */
  readonly data: string;
}

export type BeginRun =
  | { readonly outcome: "begun" }
  /** The question is already known: its latest run. */
  | { readonly outcome: "known"; readonly run: StoredRun }
  /** Another run goes on in the thread. */
  | { readonly outcome: "busy"; readonly run: StoredRun };

/** Times are ISO 8601 and come from the caller; so do ids. Everything is durable when its promise resolves. */
export interface Storage {
  readonly threads: {
    /** Not archived, newest first; those after `before` (a thread's id) in that order. */
    list(owner: Owner, page: { readonly limit: number; readonly before?: string }): Promise<readonly Thread[]>;
    count(owner: Owner): Promise<number>;
    /** Archived threads and other owners' are not found. */
    find(owner: Owner, threadId: string): Promise<StoredThread | undefined>;
    create(owner: Owner, thread: Thread): Promise<void>;
    /** Returns whether the title was taken: a model's is not where a visitor has given one. */
    rename(owner: Owner, threadId: string, title: string, by: "visitor" | "model"): Promise<boolean>;
    /** Returns whether there was such a thread. Its attachments go with it. */
    archive(owner: Owner, threadId: string, at: string): Promise<boolean>;
    setHead(owner: Owner, threadId: string, messageId: string): Promise<void>;
  };
  readonly messages: {
    /** Every branch, parents before children, the shown branch's end last. */
    list(owner: Owner, threadId: string): Promise<readonly Message[]>;
    find(owner: Owner, threadId: string, messageId: string): Promise<Message | undefined>;
  };
  readonly runs: {
    /**
     * In one transaction: stores the question unless it is known, the empty answer as `running`, the run, and bumps
     * the thread. With `regenerate` a known question begins another run; without, it is `known`.
     */
    begin(
      owner: Owner,
      run: Omit<StoredRun, "status">,
      question: Message,
      options: { readonly regenerate: boolean; readonly at: string },
    ): Promise<BeginRun>;
    /** The folded answer so far, and the `seq` that it covers. */
    checkpoint(runId: string, answer: Message, seq: number, at: string): Promise<void>;
    /** The answer at its end; the run is over. A run that is over already stays as it is: returns whether it was. */
    end(runId: string, answer: Message, at: string): Promise<boolean>;
    find(runId: string): Promise<StoredRun | undefined>;
    findRunning(owner: Owner, threadId: string): Promise<StoredRun | undefined>;
    findByQuestion(owner: Owner, threadId: string, questionId: string): Promise<StoredRun | undefined>;
    /** Marks this instance's runs as alive. */
    heartbeat(instanceId: string, at: string): Promise<void>;
    /** Runs `running` whose heartbeat is older than `before`, each ended by exactly one caller as `interrupted`. */
    interruptStale(before: string, at: string): Promise<readonly StoredRun[]>;
    countRunning(owner: Owner): Promise<number>;
    /** Drops the logs of runs that ended before `before`. */
    forget(before: string): Promise<void>;
  };
  readonly events: {
    /** Appends in one transaction; other instances are told once. */
    append(events: readonly LoggedEvent[]): Promise<void>;
    read(runId: string, afterSeq: number): Promise<readonly LoggedEvent[]>;
  };
  readonly signals: {
    /** Tells every instance, this one too, that something happened to a run. */
    publish(signal: RunSignal): Promise<void>;
    /** Returns its stop. */
    subscribe(listener: (signal: RunSignal) => void): () => void;
  };
  readonly attachments: {
    create(owner: Owner, threadId: string, attachment: Attachment, bytes: Uint8Array, at: string): Promise<void>;
    find(
      owner: Owner,
      attachmentId: string,
    ): Promise<{ readonly attachment: Attachment; readonly threadId: string } | undefined>;
    read(owner: Owner, attachmentId: string): Promise<Uint8Array | undefined>;
    /** Bytes and number of what a thread holds. */
    count(owner: Owner, threadId: string): Promise<number>;
  };
  readonly visitors: {
    /** Everything that a visitor has, for export; then for good. */
    export(owner: Owner): Promise<unknown>;
    purge(owner: Owner): Promise<void>;
    /** Drops threads not touched since `before`. Returns how many. */
    expire(projectId: string, before: string): Promise<number>;
  };
  /** Rejects when the database cannot be asked. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** `events`: a run's log has grown; `cancel`: its owner is to stop it; `ended`: it is over. */
export interface RunSignal {
  readonly type: "events" | "cancel" | "ended";
  readonly runId: string;
}
