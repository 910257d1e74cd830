import type { Owner, Parts, Tokens } from "./stored.ts";

/** The tokens of one request to a model, or of several of the same purpose. */
export interface UsedTokens extends Tokens {
  readonly modelId: string;
  /** `answer`, `title` or `suggestions`. */
  readonly purpose: string;
  /** The number of requests. */
  readonly calls: number;
  /** How many of `calls` have estimated tokens: the upstream sent none. */
  readonly estimatedCalls: number;
}

/** What was used on a UTC day. */
export interface UsedOnDay extends UsedTokens {
  readonly day: string;
}

/** The most tokens of a UTC day; `null` for no limit. */
export interface TokenBudget {
  readonly visitorTokens: number | null;
  readonly projectTokens: number | null;
}

/** The webhooks that are told when a budget of the day is used up: once for each budget and UTC day. */
export interface SpentTelling {
  readonly projectId: string;
  readonly urls: readonly string[];
  readonly budget: TokenBudget;
}

/** Whose budget is used up. */
export type Spender = "visitor" | "project";

/** What the rows of a report are grouped by. */
export type UsageKey = "day" | "project" | "model" | "visitor";

/** Which usage a report is about. */
export interface UsageQuery {
  /** Without it, all projects. */
  readonly projectId?: string | undefined;
  /** UTC days such as `2026-11-21`, both included. */
  readonly from: string;
  readonly to: string;
  readonly by: UsageKey;
  /** At most this many visitors of each project, those with the most tokens. Default: all. */
  readonly top?: number | undefined;
}

/** A row of a report. */
export interface UsageSum extends Omit<UsedTokens, "modelId" | "purpose"> {
  /** The day, project, model or visitor; `null` for all erased visitors together. */
  readonly key: string | null;
  /** The project of a visitor. */
  readonly projectId?: string;
  /** How many visitors this is the sum of, beyond the `top`; its key is `null`. */
  readonly others?: number;
}

/** The tokens of each UTC day, by project, model and purpose, and by visitor until the visitor is erased. */
export interface UsageStorage {
  /**
   * Adds tokens that are not an answer's; those of an answer are added by `runs.end`. When the thread is gone (its visitor
   * may be erased) they count only for the project. With `spent`, webhooks are told in the same transaction when they use a budget up.
   */
  add(owner: Owner, threadId: string, used: readonly UsedTokens[], at: string, spent?: SpentTelling): Promise<void>;
  /** Whose budget of the day is used up, if one is. The expected tokens of running runs count as used. */
  spent(owner: Owner, budget: TokenBudget, at: string): Promise<Spender | undefined>;
  /** The tokens of a project on the day of `at`. The expected tokens of running runs count as used. */
  ofProject(projectId: string, at: string): Promise<number>;
  /** Days in ascending order; projects, models and visitors with the most tokens first. */
  report(query: UsageQuery): Promise<readonly UsageSum[]>;
  /** What a visitor used, by day, model and purpose; the earliest day first. */
  ofVisitor(owner: Owner): Promise<readonly UsedOnDay[]>;
  /** Drops what the visitors of a project used on the days before the day of `before`. The project's sums stay. */
  expire(projectId: string, before: string): Parts;
}
