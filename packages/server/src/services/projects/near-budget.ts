import type { Storage } from "../../storage/storage.ts";
import type { TokenBudget } from "../../storage/usage.ts";
import { CHARS_PER_TOKEN } from "./estimate-tokens.ts";
import type { Limits } from "./project.ts";
import { tokenBudget } from "./token-budget.ts";
import { PROJECT_TOKENS_FRESH_MS } from "../timings.ts";

/**
 * A project is near its budget when this share of it is left, or no more than this many of the longest questions need.
 */
const NEAR_SHARE = 0.05;
const NEAR_QUESTIONS = 100;

/** Returns the budget to check a question against; `undefined` when the question cannot exceed any. */
export type NearBudget = (project: {
  readonly id: string;
  readonly limits: Limits;
}) => Promise<TokenBudget | undefined>;

/**
 * Leaves a project's budget out while it is far from used up. Otherwise all questions of the project would wait for one
 * lock, and each would sum over all running answers. Near its end the budget is exact. The usage is read at most once
 * per `PROJECT_TOKENS_FRESH_MS`, for all questions and by one query at a time.
 */
export function createNearBudget(usage: Pick<Storage["usage"], "ofProject">, clock: () => Date): NearBudget {
  const known = new Map<string, { readonly tokens: Promise<number>; readonly until: number }>();

  function tokensOf(projectId: string): Promise<number> {
    const now = performance.now();
    const last = known.get(projectId);
    if (last && last.until > now) return last.tokens;
    const tokens = usage.ofProject(projectId, clock().toISOString());
    known.set(projectId, { tokens, until: now + PROJECT_TOKENS_FRESH_MS });
    // A failed read is dropped, so that later questions do not get its error.
    tokens.catch(() => known.delete(projectId));
    return tokens;
  }

  return async ({ id, limits }) => {
    const budget = tokenBudget(limits);
    if (!budget || budget.projectTokens === null) return budget;
    const { projectTokens } = budget;
    const ofQuestion = (limits.contextChars ?? Number.POSITIVE_INFINITY) / CHARS_PER_TOKEN;
    const near = Math.max(NEAR_SHARE * projectTokens, NEAR_QUESTIONS * ofQuestion);
    if (near >= projectTokens || (await tokensOf(id)) + near >= projectTokens) return budget;
    return budget.visitorTokens === null ? undefined : { ...budget, projectTokens: null };
  };
}
