/** The names of the texts around ratings. */
export interface FeedbackWords {
  readonly good: string;
  readonly bad: string;
  readonly reason: string;
  readonly send: string;
  readonly thanks: string;
  readonly failed: string;
  readonly reasonFailed: string;
}
