import type { Owner } from "./owner.ts";

/** What calls of one model took, in tokens. */
export interface Tokens {
  /** Sent, those from the upstream's cache included. */
  readonly inputTokens: number;
  /** Those of `inputTokens` that came from the upstream's cache. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** One call of a model, or several of the same kind. */
export interface UsedTokens extends Tokens {
  readonly modelId: string;
  /** What for: `answer`, `title`. */
  readonly purpose: string;
  readonly calls: number;
  /** Those of `calls` whose tokens the upstream did not tell. */
  readonly estimatedCalls: number;
}

/** How many tokens of a UTC day may be used; `null` for any number. */
export interface TokenBudget {
  readonly visitorTokens: number | null;
  readonly projectTokens: number | null;
}

/** Whose budget is used up. */
export type Spender = "visitor" | "project";

/** What a report sums by. */
export type UsageKey = "day" | "project" | "model" | "visitor";

export interface UsageQuery {
  /** All projects unless given. */
  readonly projectId?: string | undefined;
  /** UTC days, both included, as `2026-11-21`. */
  readonly from: string;
  readonly to: string;
  readonly by: UsageKey;
}

/** A row of a report. */
export interface UsageSum extends Omit<UsedTokens, "modelId" | "purpose"> {
  /** The day, the project, the model or the visitor; `null` for visitors that have been erased. */
  readonly key: string | null;
  /** The visitor's project. */
  readonly projectId?: string;
}

/** Tokens by UTC day, project, model and purpose, and by visitor as long as the visitor is kept. */
export interface UsageStorage {
  /**
   * Adds what calls took beside an answer. What the calls of an answer took is added by `runs.end`. Without the thread
   * (its visitor may be erased) it counts for the project alone.
   */
  add(owner: Owner, threadId: string, used: readonly UsedTokens[], at: string): Promise<void>;
  /** Whose budget the day's tokens have used up, those that running answers were reckoned to need included. */
  spent(owner: Owner, budget: TokenBudget, at: string): Promise<Spender | undefined>;
  /** Greatest day last; projects, models and visitors with the most tokens first. */
  report(query: UsageQuery): Promise<readonly UsageSum[]>;
}
