import type { Message, Thread } from "@nitka/protocol";

/**
 * The store of all visitors' threads. A thread belongs to its visitor: for another visitor's id it does not exist.
 * `threadStorageContract` checks the requirements for every implementation.
 */
export interface ThreadStorage {
  /** The visitor's threads, the latest `updatedAt` first. */
  list(visitorId: string): Promise<readonly Thread[]>;
  /** Adds a thread without messages. */
  create(visitorId: string, thread: Thread): Promise<void>;
  /** A thread with its messages in the order in which they were added; `undefined` when the thread does not exist. */
  read(visitorId: string, threadId: string): Promise<StoredThread | undefined>;
  /**
   * Changes only the given fields of the thread. Of two concurrent changes both are stored.
   *
   * @returns whether the visitor has the thread: a change does not create one
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
  /** Is added at the end of the thread, or replaces the message with the same id in its place. */
  readonly message?: Message;
}
