import { ChatError } from "../../chat-error.ts";
import type { Spender, TokenBudget } from "../../storage/usage.ts";
import type { Limits } from "./project.ts";

/** The tokens that a visitor and a project may use per UTC day; `undefined` when neither has a limit. */
export function tokenBudget({ tokensPerDay, projectTokensPerDay }: Limits): TokenBudget | undefined {
  if (tokensPerDay === null && projectTokensPerDay === null) return undefined;
  return { visitorTokens: tokensPerDay, projectTokens: projectTokensPerDay };
}

/** The error for a question after the day's tokens are used up. */
export function budgetExceeded(whose: Spender, now: Date): ChatError {
  const retryAfter = secondsToMidnight(now);
  const limit = whose === "visitor" ? "tokensPerDay" : "projectTokensPerDay";
  return new ChatError("budget_exceeded", `${sentences[whose]} It is renewed at midnight UTC.`, {
    retryAfter,
    limit,
  });
}

const sentences: Readonly<Record<Spender, string>> = {
  visitor: "This visitor's daily allowance of tokens is used up.",
  project: "This project's daily allowance of tokens is used up.",
};

/** Seconds until the next UTC day begins, at least one. */
export function secondsToMidnight(now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  return Math.max(1, Math.ceil((midnight - now.getTime()) / 1000));
}
