import type { Owner, Parts, Tokens } from "./stored.ts";

/** The tokens of one request to a model, or of several requests of the same purpose. */
export interface UsedTokens extends Tokens {
  readonly modelId: string;
  /** `answer`, `title` or `suggestions`. */
  readonly purpose: string;
  /** The number of requests. */
  readonly calls: number;
  /** How many of `calls` have estimated tokens because the upstream sent none. */
  readonly estimatedCalls: number;
}

/** The tokens used on a UTC day. */
export interface UsedOnDay extends UsedTokens {
  readonly day: string;
}

/** The most tokens per UTC day; `null` for no limit. */
export interface TokenBudget {
  readonly visitorTokens: number | null;
  readonly projectTokens: number | null;
}

/** The webhooks to notify when a budget of the day is used up: once for each budget and UTC day. */
export interface SpentTelling {
  readonly projectId: string;
  readonly urls: readonly string[];
  readonly budget: TokenBudget;
}

/** The owner of a budget that is used up. */
export type Spender = "visitor" | "project";

/** What the rows of a report are grouped by. */
export type UsageKey = "day" | "project" | "model" | "visitor";

/** The filter and the grouping of a usage report. */
export interface UsageQuery {
  /** Default: all projects. */
  readonly projectId?: string | undefined;
  /** UTC days such as `2026-11-21`, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly by: UsageKey;
  /** The most visitors per project; those with the most tokens are kept. Default: all. */
  readonly top?: number | undefined;
}

/** A row of a report. */
export interface UsageSum extends Omit<UsedTokens, "modelId" | "purpose"> {
  /** The day, project, model or visitor; `null` for all erased visitors together. */
  readonly key: string | null;
  /** The project of a visitor. */
  readonly projectId?: string;
  /** The number of visitors beyond the `top` that this row sums; its key is `null`. */
  readonly others?: number;
}

/** The tokens of each UTC day, by project, model and purpose, and by visitor until the visitor is erased. */
export interface UsageStorage {
  /**
   * Adds tokens that are not part of an answer; `runs.end` adds those of an answer. When the thread is gone, the
   * visitor may be erased, so the tokens count only for the project. With `spent`, the same transaction stores a
   * webhook event when the tokens use up a budget.
   */
  add(owner: Owner, threadId: string, used: readonly UsedTokens[], at: string, spent?: SpentTelling): Promise<void>;
  /**
   * Whose budget of the day is used up; `undefined` when none is. The expected tokens of running runs count as used.
   */
  spent(owner: Owner, budget: TokenBudget, at: string): Promise<Spender | undefined>;
  /** The tokens of a project on the day of `at`. The expected tokens of running runs count as used. */
  ofProject(projectId: string, at: string): Promise<number>;
  /** Days in ascending order; projects, models and visitors with the most tokens first. */
  report(query: UsageQuery): Promise<readonly UsageSum[]>;
  /** The tokens that a visitor used, by day, model and purpose; the earliest day first. */
  ofVisitor(owner: Owner): Promise<readonly UsedOnDay[]>;
  /** Drops the usage of a project's visitors before the day of `before`. The project's sums stay. */
  expire(projectId: string, before: string): Parts;
}
