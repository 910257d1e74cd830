import type { Owner } from "./stored.ts";

/**
 * - `nothing_found`: the site was searched, and nothing was good enough.
 * - `uncited`: passages were found, and the answer cites none of them.
 * - `disliked`: the visitor has rated the answer down.
 */
export type UnansweredReason = "nothing_found" | "uncited" | "disliked";

/** A question that the site's pages did not answer, with the passages that the model was offered. */
export interface NewUnanswered {
  readonly threadId: string;
  /** The answer's. */
  readonly messageId: string;
  readonly question: string;
  readonly reason: UnansweredReason;
  readonly at: string;
  readonly passages: readonly { readonly url: string; readonly title: string }[];
  /** What the visitor has written beside the rating. */
  readonly comment?: string | undefined;
}

export interface Unanswered extends NewUnanswered {
  /** The same for the same answer. */
  readonly id: string;
  readonly projectId: string;
}

/** The questions of some projects in a span of time, newest first. */
export interface UnansweredQuery {
  readonly projectIds: readonly string[];
  /** An ISO time that is included. */
  readonly from: string;
  readonly limit: number;
}

/** An entry goes with its thread: purging, expiring and erasing take it along. */
export interface UnansweredStorage {
  /**
   * Keeps an entry, one for each answer: `disliked` replaces what is there, another reason does not. Returns whether something
   * was kept: the owner has to have the thread.
   */
  keep(owner: Owner, entry: NewUnanswered): Promise<boolean>;
  /** The visitor does not dislike the answer any more. Returns whether there was such an entry, which is gone now. */
  withdraw(owner: Owner, threadId: string, messageId: string): Promise<boolean>;
}
