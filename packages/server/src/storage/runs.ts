/** Runs: how they begin and end, the log of their events, and the signals between instances. */
import type { Message } from "@nitka/protocol";
import type { EndFigures, FoundRun, NewRun, Owner, Parts, StoredEnd, StoredRun, ThreadStanding } from "./stored.ts";
import type { Spender, TokenBudget, UsedTokens } from "./usage.ts";
import type { RunTelling } from "./webhooks.ts";

/** The expected cost of a run that begins. */
export interface ExpectedCost {
  readonly modelId: string;
  /**
   * The estimated tokens of the input that no earlier run has sent. These and the tokens of the previous answer count as
   * used while the run is running, and also if its process dies.
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
  /** The webhooks to notify of the run's end. */
  readonly telling?: RunTelling | undefined;
}

/** An event of a run's event log. */
export interface LoggedEvent {
  readonly runId: string;
  /** Counts from 1 in each run, without gaps. */
  readonly seq: number;
  /** The event's JSON, as it was sent to the readers. */
  readonly data: string;
}

/** The end of a run's log, as known by the instance that wrote the run. */
export interface RunLogEnd {
  /** The `seq` of the run's last event. */
  readonly seq: number;
  /** The events that may not have been appended yet. */
  readonly tail: readonly LoggedEvent[];
  /** The instance that wrote the run. */
  readonly instanceId: string;
}

/** What is stored with a run's end besides the answer. */
export interface EndOptions {
  readonly log?: RunLogEnd;
  /** The tokens of the run's steps. The same transaction adds them to the day's usage. */
  readonly used?: readonly UsedTokens[];
  readonly figures?: EndFigures;
  /** The `telling` that the run began with. */
  readonly telling?: RunTelling | undefined;
}

export type BeginRun =
  | { readonly outcome: "begun"; readonly run: StoredRun }
  /** The question already has a run: the latest one. */
  | { readonly outcome: "known"; readonly run: StoredRun }
  /** Another run is running in the thread: of another question, or of this question when it is to be regenerated. */
  | { readonly outcome: "busy"; readonly run: StoredRun }
  /** The owner has reached `limit` running runs. */
  | { readonly outcome: "full"; readonly running: number }
  /** The day's token budget is used up. */
  | { readonly outcome: "spent"; readonly whose: Spender }
  /** The id of the question, or of the answer, belongs to another message of the thread. */
  | { readonly outcome: "taken" }
  /** There is no such thread, no message that is the question's parent, or no such question to regenerate. */
  | { readonly outcome: "missing"; readonly what: "thread" | "parent" | "question" };

export interface RunStorage {
  /**
   * Begins a run in one transaction: stores the question if it is new, an empty `running` answer and the run; binds the
   * attachments of the question, including those in its parts; bumps the thread and makes the answer its head.
   *
   * A question that has a run is `known`; with `regenerate` it gets another run. On any number of instances at once, a
   * thread has at most one running run and an owner at most `limit`, and no run begins when its `budget` is used up.
   */
  begin(owner: Owner, run: NewRun, question: Message, options: BeginOptions): Promise<BeginRun>;
  /**
   * Stores the answer so far and the `seq` of its last event. The history shows this while the run is running. It may
   * be rare, since recovery folds the log. Does nothing when the run has ended.
   */
  checkpoint(runId: string, answer: Message, seq: number): Promise<void>;
  /**
   * Ends a run in one transaction: stores the answer with its final status, appends the `log`'s tail, and bumps the
   * thread. Then the instances that follow the run receive `ended`. Resolves to `false`, without a change, when the run
   * had ended before or its thread is purged.
   *
   * There is one exception: when another instance has interrupted the run as stale, the answer of the instance that
   * wrote the run replaces the interrupted answer, as long as the thread has no later message.
   */
  end(runId: string, answer: Message, at: string, options?: EndOptions): Promise<boolean>;
  /**
   * The current owner of a run: its thread may have been claimed since the run began. `undefined` when the run is gone.
   */
  ownerOf(runId: string): Promise<Owner | undefined>;
  findRunning(owner: Owner, threadId: string): Promise<FoundRun | undefined>;
  /** The end of a run, for readers who owned its thread when they joined. `undefined` when the run is gone. */
  findEnd(runId: string): Promise<StoredEnd | undefined>;
  /** The state of a thread that decides what happens to a question; `undefined` when there is no such thread. */
  standing(owner: Owner, threadId: string, questionId: string): Promise<ThreadStanding | undefined>;
  /**
   * Stores that the instance is alive, by the database's clock. Returns the running runs of the instance. The instance
   * must interrupt those that it is not writing, since no other instance will.
   */
  heartbeat(instanceId: string): Promise<readonly string[]>;
  /**
   * Ends the given runs that are still running. Each answer becomes the fold of its log, `incomplete` with the reason
   * `interrupted`; open blocks are closed in the log. Then every instance receives `ended`. The tokens are estimated,
   * because only the lost process knew them. A run whose thread is locked is left for a later call.
   */
  interrupt(runIds: readonly string[], at: string): Promise<readonly StoredRun[]>;
  /**
   * Interrupts the running runs that began more than `staleMs` ago and whose instance has sent no heartbeat for as
   * long, by the database's clock. When several instances call it at once, exactly one interrupts a given run. A call
   * interrupts a limited number: call it again until it returns none.
   */
  interruptStale(staleMs: number, at: string): Promise<readonly StoredRun[]>;
  countRunning(owner: Owner): Promise<number>;
  /** Drops the logs of runs that ended more than `keptMs` ago. Some may stay until a later call. */
  forget(keptMs: number): Parts;
}

/** New events of a run's log. The batch with an `end` is the last. */
export interface LogBatch {
  readonly events: readonly LoggedEvent[];
  /** `broken`: events are missing from the log, and only the stored answer contains them. */
  readonly end?: "whole" | "broken";
}

export interface EventStorage {
  /**
   * How many milliseconds of a run's events to gather before they are appended: few while another instance follows the
   * run, more while the log only serves recovery. Events that are not appended yet are lost with the process.
   */
  flushMs(runId: string): number;
  /**
   * Appends in one transaction, and notifies the other instances once. After an error the same events can be appended
   * again, with or without later ones: no event is stored twice.
   */
  append(events: readonly LoggedEvent[]): Promise<void>;
  read(runId: string, afterSeq: number): Promise<readonly LoggedEvent[]>;
  /**
   * Follows a run of any instance: the listener gets each later event once and in order, soon after it was appended,
   * and finally an `end`. After a gap that does not close it gets only a `broken` end. Readers of a run that this
   * instance writes itself need no follower: the events are in its memory. Returns a function that stops following.
   */
  follow(runId: string, afterSeq: number, listener: (batch: LogBatch) => void): () => void;
}

/**
 * `events`: the run's log has grown. `cancel`: the run's instance must stop it. `answered`: the visitor has answered a
 * tool call that waits for them. `ended`: the run has ended.
 */
export interface RunSignal {
  readonly type: "events" | "cancel" | "answered" | "ended";
  readonly runId: string;
}

export interface SignalStorage {
  /** Sends a signal to every instance, this one included. A `cancel` is stored until the run's instance has seen it. */
  publish(signal: RunSignal): Promise<void>;
  /** The listener gets `events` only for appends of other instances. Returns a function that unsubscribes. */
  subscribe(listener: (signal: RunSignal) => void): () => void;
}
