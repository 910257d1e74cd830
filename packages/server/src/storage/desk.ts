import type { Feedback, MessageStatus } from "@nitka/protocol";
import type { Owner, StoredRun, Tokens } from "./stored.ts";
import type { Unanswered, UnansweredQuery } from "./unanswered.ts";

/** The statuses that the desk's list can be filtered by: how a run ended, or `running`. */
export type DeskRunStatus =
  | "running"
  | "complete"
  | "length"
  | "content-filter"
  | "cancelled"
  | "error"
  | "interrupted";

/** The runs of some projects that began in a time span. */
export interface DeskSpan {
  readonly projectIds: readonly string[];
  /** An ISO time, inclusive. */
  readonly from: string;
  /** An ISO time, exclusive. */
  readonly to: string;
}

/** A position in the list of runs. The next page begins after it. */
export interface DeskPlace {
  readonly startedAt: string;
  readonly runId: string;
}

export interface DeskRunQuery extends DeskSpan {
  readonly status?: DeskRunStatus | undefined;
  /** Only runs whose answer has this rating; `any` for every rated answer. */
  readonly rating?: Feedback["rating"] | "any" | undefined;
  readonly before?: DeskPlace | undefined;
  readonly limit: number;
}

/** A run as the operators' list shows it. The thread's title is the only text of the conversation in it. */
export interface DeskRun {
  /** The thread's current owner. */
  readonly owner: Owner;
  readonly run: StoredRun;
  /** The answer's status. */
  readonly status: MessageStatus;
  readonly title?: string;
  /** Whether the visitor has deleted the thread. A deleted thread cannot be read. */
  readonly isArchived: boolean;
  readonly feedback?: Feedback;
  /** Milliseconds from the question to the answer's first text; absent when the answer had no text. */
  readonly firstTokenMs?: number;
  /**
   * The number of times a reader rejoined the run while it was being written, on the instance that wrote it. Absent
   * until the run ends.
   */
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
  /** The mean over the runs that have a `firstTokenMs`. */
  readonly firstTokenMs?: number;
}

/** The tokens of a project, a UTC day and a model, summed over all purposes. */
export interface DeskTokens extends Tokens {
  readonly day: string;
  readonly projectId: string;
  readonly modelId: string;
}

/**
 * What operators read. Only these methods look across visitors. A conversation is then read with the owner that they
 * return.
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
  /** The questions that the site's pages did not answer, newest first. */
  unanswered(query: UnansweredQuery): Promise<readonly Unanswered[]>;
  /** Removes entries of these projects from that list. Returns how many it removed. */
  closeUnanswered(projectIds: readonly string[], ids: readonly string[]): Promise<number>;
}
