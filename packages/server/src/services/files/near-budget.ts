import type { Storage } from "../../storage/storage.ts";
import type { TokenBudget } from "../../storage/usage.ts";
import type { Limits } from "../projects/project.ts";
import { tokenBudget } from "../projects/token-budget.ts";
import { PROJECT_TOKENS_FRESH_MS } from "../timings.ts";

/** A project is near its budget when it has this share of it left, or no more than so many of the longest questions take. */
const NEAR_SHARE = 0.05;
const NEAR_QUESTIONS = 100;

const CHARS_PER_TOKEN = 4;

/** The budget to hold a question of the project against; `undefined` where none can be used up by it. */
export type NearBudget = (project: {
  readonly id: string;
  readonly limits: Limits;
}) => Promise<TokenBudget | undefined>;

/**
 * Leaves a project's budget out while it is far from used up. Otherwise all questions of the project would wait for each
 * other under one lock, and each would sum over all of its running answers. Near its end the budget is exact. How much is used
 * is read at most once in `PROJECT_TOKENS_FRESH_MS` for all questions, and by one query at a time.
 */
export function createNearBudget(usage: Pick<Storage["usage"], "ofProject">, clock: () => Date): NearBudget {
  const known = new Map<string, { readonly tokens: Promise<number>; readonly until: number }>();

  function tokensOf(projectId: string): Promise<number> {
    const now = performance.now();
    const last = known.get(projectId);
    if (last && last.until > now) return last.tokens;
    const tokens = usage.ofProject(projectId, clock().toISOString());
    known.set(projectId, { tokens, until: now + PROJECT_TOKENS_FRESH_MS });
    // A failure is this question's, and not that of all others of the same moment.
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
