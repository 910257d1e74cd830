import type { Message, Thread } from "@nitka/protocol";
import type { Owner, StoredThread } from "./stored.ts";

/**
 * The words of a thread, each with the position of its latest message that has it: 0 for the title. Words of the title are in
 * it once more behind `TITLE_MARK`.
 */
export type ThreadWords = ReadonlyMap<string, number>;

export const TITLE_MARK = "^";

/** A thread whose words are not stored as it is now. */
export interface UnreadThread extends StoredThread {
  /** The words that are stored; none where all of it is to be read again. */
  readonly words: ThreadWords;
  /** The messages behind those, in their order; the thread may have more. */
  readonly messages: readonly (Pick<Message, "role" | "content"> & { readonly position: number })[];
  /** Up to which message the words are those of the thread, once they are stored. */
  readonly position: number;
  /** Whether no message is left out: neither for a later batch nor because it is being written. */
  readonly isWhole: boolean;
}

/** What threads are searched for: a word that is stored so, or one with one of these beginnings. */
export interface SoughtWord {
  readonly word: string;
  readonly beginnings: readonly string[];
}

/** A thread that has all words. */
export interface ThreadHit {
  readonly thread: Thread;
  /** How many of the words are in its title, and how many in the same message, at most. */
  readonly inTitle: number;
  readonly together: number;
  /** That message, if a message has any. */
  readonly message?: Pick<Message, "content">;
}

/**
 * The words of visitors' threads. They are stored when a visitor searches, not when an answer is: a thread has none until
 * then. Archiving, deleting and claiming it deletes them.
 */
export interface SearchStorage {
  /**
   * A batch of the owner's threads that have changed since their words were stored, those behind the id `after`; `next` is the
   * `after` of the next batch, if there may be one.
   */
  unread(
    owner: Owner,
    after: string,
  ): Promise<{ readonly threads: readonly UnreadThread[]; readonly next: string | undefined }>;
  /** Stores the words of threads, but of those that have been renamed, archived or claimed since they were read. */
  keep(owner: Owner, threads: readonly Omit<UnreadThread, "messages">[]): Promise<void>;
  /** Of the owner's threads that have all words: the newest `limit`, and the newest `limit` with one of them in the title. */
  find(owner: Owner, words: readonly SoughtWord[], limit: number): Promise<readonly ThreadHit[]>;
}
