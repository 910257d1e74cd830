/** A thread as the list has it. */
export interface Thread {
  readonly threadId: string;
  readonly title?: string;
  /** An ISO 8601 date and time. */
  readonly updatedAt: string;
}
