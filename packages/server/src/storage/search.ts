import type { Message, Thread } from "@nitka/protocol";
import type { Owner, StoredThread } from "./stored.ts";

/**
 * The words of a thread, each with the position of its latest message that has the word: 0 for the title. A title's
 * word has a second entry with the prefix `TITLE_MARK`.
 */
export type ThreadWords = ReadonlyMap<string, number>;

export const TITLE_MARK = "^";

/** A thread whose stored words are out of date. */
export interface UnreadThread extends StoredThread {
  /** The stored words; empty when the whole thread must be read again. */
  readonly words: ThreadWords;
  /** The messages after those words, in order. The thread may have more. */
  readonly messages: readonly (Pick<Message, "role" | "content"> & { readonly position: number })[];
  /** The position of the last message that `words` cover once they are stored. */
  readonly position: number;
  /** Whether no message is left out, neither for a later batch nor because it is still being written. */
  readonly isWhole: boolean;
}

/** A word of a search: matches the stored word itself, or any stored word that begins with one of `beginnings`. */
export interface SoughtWord {
  readonly word: string;
  readonly beginnings: readonly string[];
}

/** A thread that contains all searched words. */
export interface ThreadHit {
  readonly thread: Thread;
  /** How many of the words are in its title, and the most of them that one message contains. */
  readonly inTitle: number;
  readonly together: number;
  /** That message, if a message has any. */
  readonly message?: Pick<Message, "content">;
}

/**
 * The words of visitors' threads. They are stored when a visitor searches, not when an answer is stored: until then a
 * thread has none. Archiving, deleting or claiming a thread deletes its words.
 */
export interface SearchStorage {
  /**
   * A batch of the owner's threads that have changed since their words were stored, beginning after the id `after`.
   * `next` is the `after` of the next batch, if there may be one.
   */
  unread(
    owner: Owner,
    after: string,
  ): Promise<{ readonly threads: readonly UnreadThread[]; readonly next: string | undefined }>;
  /** Stores the words of threads, except for threads that were renamed, archived or claimed since they were read. */
  keep(owner: Owner, threads: readonly Omit<UnreadThread, "messages">[]): Promise<void>;
  /**
   * Among the owner's threads that contain all words: the newest `limit`, and the newest `limit` that have one of the
   * words in the title.
   */
  find(owner: Owner, words: readonly SoughtWord[], limit: number): Promise<readonly ThreadHit[]>;
}
