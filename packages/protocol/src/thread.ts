/** A thread as the list has it. */
export interface Thread {
  readonly threadId: string;
  /** Absent until the thread has one. */
  readonly title?: string;
  /** An ISO 8601 date and time. */
  readonly updatedAt: string;
}
