import type { Message, Thread } from "@nitka/protocol";

/**
 * Where the threads of all visitors are kept. A visitor's id and a thread's id belong together: what is not this visitor's does
 * not exist. `threadStorageContract` has what every implementation must hold.
 */
export interface ThreadStorage {
  /** The visitor's threads, the one with the latest `updatedAt` first. */
  list(visitorId: string): Promise<readonly Thread[]>;
  /** Adds a thread without messages. */
  create(visitorId: string, thread: Thread): Promise<void>;
  /** A thread with its messages in the order in which they were added; `undefined` without the thread. */
  read(visitorId: string, threadId: string): Promise<StoredThread | undefined>;
  /**
   * Changes what is named, and nothing else of the thread. Two changes at a time are both kept.
   *
   * @returns whether the visitor has the thread: a change creates none
   */
  change(visitorId: string, threadId: string, changes: ThreadChanges): Promise<boolean>;
  /** Deletes a thread with its messages. */
  delete(visitorId: string, threadId: string): Promise<void>;
}

export interface StoredThread extends Thread {
  readonly messages: readonly Message[];
}

export interface ThreadChanges {
  readonly title?: string;
  readonly updatedAt?: string;
  /** Is added at the end of the thread, or replaces the message of this thread that has its id, in its place. */
  readonly message?: Message;
}
