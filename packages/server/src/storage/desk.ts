import type { Feedback, MessageStatus } from "@nitka/protocol";
import type { Owner, StoredRun, Tokens } from "./stored.ts";
import type { Unanswered, UnansweredQuery } from "./unanswered.ts";

/** How a run ended, or that it has not: the statuses that the desk's list can be filtered by. */
export type DeskRunStatus =
  | "running"
  | "complete"
  | "length"
  | "content-filter"
  | "cancelled"
  | "error"
  | "interrupted";

/** The runs of some projects that began in a span of time. */
export interface DeskSpan {
  readonly projectIds: readonly string[];
  /** An ISO time that is included. */
  readonly from: string;
  /** An ISO time that is not included. */
  readonly to: string;
}

/** A place in the list of runs: a page goes on after it. */
export interface DeskPlace {
  readonly startedAt: string;
  readonly runId: string;
}

export interface DeskRunQuery extends DeskSpan {
  readonly status?: DeskRunStatus | undefined;
  /** Only runs whose answer has this rating; `any` for every rated one. */
  readonly rating?: Feedback["rating"] | "any" | undefined;
  readonly before?: DeskPlace | undefined;
  readonly limit: number;
}

/** A run with what an operator wants to know of it. It has no words of the conversation but the thread's title. */
export interface DeskRun {
  /** The thread's owner now. */
  readonly owner: Owner;
  readonly run: StoredRun;
  /** The answer's status. */
  readonly status: MessageStatus;
  readonly title?: string;
  /** Whether the visitor has deleted the thread: then nobody may read it. */
  readonly isArchived: boolean;
  readonly feedback?: Feedback;
  /** From the question to the answer's first text; absent where there was none. */
  readonly firstTokenMs?: number;
  /** How often a reader joined the run while it was written, at the instance that wrote it. Absent until its end. */
  readonly rejoins?: number;
}

/** The runs of a project that began on a UTC day. */
export interface DeskDay {
  readonly day: string;
  readonly projectId: string;
  readonly runs: number;
  readonly errors: number;
  readonly cancelled: number;
  readonly interrupted: number;
  readonly rejoins: number;
  readonly up: number;
  readonly down: number;
  /** The mean of the runs that have one. */
  readonly firstTokenMs?: number;
}

/** The tokens of a project, a UTC day and a model, for all purposes. */
export interface DeskTokens extends Tokens {
  readonly day: string;
  readonly projectId: string;
  readonly modelId: string;
}

/**
 * What operators read. These are the only methods that look across visitors; a conversation is then read with the owner
 * that they return.
 */
export interface DeskStorage {
  /** A page of runs, newest first. */
  runs(query: DeskRunQuery): Promise<readonly DeskRun[]>;
  run(runId: string): Promise<DeskRun | undefined>;
  /** The owner of a thread; `undefined` for one that does not exist or was deleted by its visitor. */
  ownerOf(threadId: string): Promise<Owner | undefined>;
  /** Newest day first, then by project. Days without a run have no row. */
  days(span: DeskSpan): Promise<readonly DeskDay[]>;
  /** Newest day first, then by project and model. */
  tokens(span: DeskSpan): Promise<readonly DeskTokens[]>;
  /** What the site's pages did not answer, newest first. */
  unanswered(query: UnansweredQuery): Promise<readonly Unanswered[]>;
  /** Takes entries of these projects off that list. Returns how many there were. */
  closeUnanswered(projectIds: readonly string[], ids: readonly string[]): Promise<number>;
}
