import type { Owner } from "./stored.ts";

/**
 * - `nothing_found`: the search of the site found nothing good enough.
 * - `uncited`: passages were found, and the answer cites none of them.
 * - `disliked`: the visitor has rated the answer down.
 */
export type UnansweredReason = "nothing_found" | "uncited" | "disliked";

/** A question that the site's pages did not answer, with the passages that the model was offered. */
export interface NewUnanswered {
  readonly threadId: string;
  /** The id of the answer. */
  readonly messageId: string;
  readonly question: string;
  readonly reason: UnansweredReason;
  readonly at: string;
  readonly passages: readonly { readonly url: string; readonly title: string }[];
}

export interface Unanswered extends NewUnanswered {
  /** Derived from the answer, so that it stays the same for the same answer. */
  readonly id: string;
  readonly projectId: string;
  /** The visitor's comment on the rating. */
  readonly comment?: string;
}

/** The unanswered questions of some projects since a time, newest first. */
export interface UnansweredQuery {
  readonly projectIds: readonly string[];
  /** An ISO time, inclusive. */
  readonly from: string;
  readonly limit: number;
}

/** The entries of unanswered questions. An entry is deleted with its thread: by purging, expiring and erasing. */
export interface UnansweredStorage {
  /**
   * Stores an entry, one per answer: `disliked` replaces an existing entry, another reason does not. Returns whether an
   * entry was stored: the owner must have the thread, and for `disliked` the answer must still be rated down.
   */
  keep(owner: Owner, entry: NewUnanswered): Promise<boolean>;
  /**
   * Removes the entry of an answer that the visitor no longer dislikes. Returns whether an entry was removed: none is
   * removed when the visitor has rated the answer down again.
   */
  withdraw(owner: Owner, threadId: string, messageId: string): Promise<boolean>;
}
