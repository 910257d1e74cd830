import type { Feedback } from "@nitka/protocol";
import type { CallDecision, NewAwaitedCall } from "../storage/awaited-calls.ts";
import type { Tokens } from "../storage/storage.ts";

/**
 * Metrics of runs, their readers and their ratings. A method is called once per run, request or reader, never per
 * event.
 */
export interface RunMetrics {
  runEnded(run: MeasuredRun): void;
  /** The tokens of one request to a model. */
  tokensUsed(tokens: TokenFigures): void;
  answerRated(rated: { readonly projectId: string; readonly rating: Feedback["rating"] }): void;
  /** A tool call no longer waits for the visitor. */
  callEnded(call: CallFigures): void;
  readerOpened(): void;
  readerClosed(): void;
}

interface MeasuredRun {
  readonly projectId: string;
  readonly modelId: string;
  readonly outcome: "complete" | "length" | "content-filter" | "cancelled" | "error" | "interrupted" | "lost";
  readonly seconds: number;
  /** Seconds from the question to the answer's first text; absent when the answer had no text. */
  readonly secondsToFirstToken?: number;
  readonly events: number;
}

export interface CallFigures extends Pick<NewAwaitedCall, "kind"> {
  readonly projectId: string;
  readonly outcome: CallDecision["type"];
}

interface TokenFigures extends Tokens {
  readonly projectId: string;
  readonly modelId: string;
  readonly purpose: string;
}
