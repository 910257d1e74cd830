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
}

export interface Unanswered extends NewUnanswered {
  /** The same for the same answer. */
  readonly id: string;
  readonly projectId: string;
  /** What the visitor has written beside the rating. */
  readonly comment?: string;
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
   * was kept: the owner has to have the thread, and to dislike the answer still where that is the reason.
   */
  keep(owner: Owner, entry: NewUnanswered): Promise<boolean>;
  /**
   * Removes the entry of an answer that the visitor does not dislike any more. Returns whether there was one: none is removed
   * where the visitor dislikes the answer again.
   */
  withdraw(owner: Owner, threadId: string, messageId: string): Promise<boolean>;
}
