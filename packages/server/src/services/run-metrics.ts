/** What is counted about runs and their readers. Whoever counts is told once for each run, never for each event. */
export interface RunMetrics {
  ended(run: RunFigures): void;
  /** What a call of a model took. */
  used(call: CallFigures): void;
  readerOpened(): void;
  readerClosed(): void;
}

export interface RunFigures {
  readonly projectId: string;
  readonly modelId: string;
  readonly outcome: "complete" | "cancelled" | "error" | "interrupted" | "lost";
  readonly seconds: number;
  /** From the question to the first word of the answer; absent when there was none. */
  readonly secondsToFirstToken?: number;
  readonly events: number;
}

export interface CallFigures {
  readonly projectId: string;
  readonly modelId: string;
  readonly purpose: string;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}
