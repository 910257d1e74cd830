/** A conversation as the list shows it. `updatedAt` is an ISO 8601 date and time. */
export interface Thread {
  readonly threadId: string;
  readonly title?: string;
  readonly updatedAt: string;
}
