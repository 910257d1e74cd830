/** The body of `POST …/messages/{messageId}/feedback`. `null` removes the rating. */
export interface FeedbackRequest {
  readonly rating: "up" | "down" | null;
  /** At most `MAX_REASON_CHARS` characters. */
  readonly reason?: string;
}

/** The most characters of a reason, for feedback and for a denied tool call. */
export const MAX_REASON_CHARS = 2_000;
