import type { Feedback } from "@nitka/protocol";

/**
 * Metrics of runs, their readers and their ratings. A method is called once per run, request or reader, never per
 * event.
 */
export interface RunMetrics {
  runEnded(run: RunFigures): void;
  /** The tokens of one request to a model. */
  tokensUsed(tokens: TokenFigures): void;
  answerRated(rated: { readonly projectId: string; readonly rating: Feedback["rating"] }): void;
  /** A tool call no longer waits for the visitor. */
  callEnded(call: CallFigures): void;
  readerOpened(): void;
  readerClosed(): void;
}

export interface RunFigures {
  readonly projectId: string;
  readonly modelId: string;
  readonly outcome: "complete" | "length" | "content-filter" | "cancelled" | "error" | "interrupted" | "lost";
  readonly seconds: number;
  /** Seconds from the question to the answer's first text; absent when the answer had no text. */
  readonly secondsToFirstToken?: number;
  readonly events: number;
}

export interface CallFigures {
  readonly projectId: string;
  /** What the call waited for: the visitor's approval, or a tool of the page. */
  readonly kind: "approval" | "page";
  readonly outcome: "approved" | "denied" | "output" | "failed" | "expired" | "cancelled";
}

export interface TokenFigures {
  readonly projectId: string;
  readonly modelId: string;
  readonly purpose: string;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}
