import type { Feedback } from "@nitka/protocol";

/** Metrics of runs, their readers and their ratings. Each method is called once for a run, a request or a reader, never for an event. */
export interface RunMetrics {
  runEnded(run: RunFigures): void;
  /** The tokens of one request to a model. */
  tokensUsed(tokens: TokenFigures): void;
  answerRated(rated: { readonly projectId: string; readonly rating: Feedback["rating"] }): void;
  /** A tool call waits for the visitor no longer. */
  callEnded(call: CallFigures): void;
  readerOpened(): void;
  readerClosed(): void;
}

export interface RunFigures {
  readonly projectId: string;
  readonly modelId: string;
  readonly outcome: "complete" | "length" | "content-filter" | "cancelled" | "error" | "interrupted" | "lost";
  readonly seconds: number;
  /** From the question to the answer's first text; absent where there was none. */
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
