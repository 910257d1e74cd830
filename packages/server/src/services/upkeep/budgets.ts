import type { Storage } from "../../storage/storage.ts";
import type { Limits } from "../projects/project.ts";
import { TABLE_SIZES_FRESH_MS } from "../timings.ts";

/** The tokens of a project's day. */
export interface ProjectBudget {
  readonly projectId: string;
  /** How many there are. */
  readonly tokens: number;
  readonly usedTokens: number;
}

/** The budgets of the projects that have one. */
export type Budgets = () => Promise<readonly ProjectBudget[]>;

interface BudgetOptions {
  readonly storage: { readonly usage: Pick<Storage["usage"], "report"> };
  readonly projects: ReadonlyMap<string, { readonly limits: Pick<Limits, "projectTokensPerDay"> }>;
  readonly clock: () => Date;
}

/** What was used is read at most once a minute, and only where some project has a budget. */
export function createBudgets({ storage, projects, clock }: BudgetOptions): Budgets {
  let used: ReadonlyMap<string, number> = new Map();
  let askedAt: number | undefined;
  let asking = Promise.resolve();

  async function ask(now: Date): Promise<void> {
    const day = now.toISOString().slice(0, 10);
    try {
      const rows = await storage.usage.report({ by: "project", from: day, to: day });
      used = new Map(rows.map(({ key, inputTokens, outputTokens }) => [String(key), inputTokens + outputTokens]));
    } catch {
      // The sums stay what they were. `/readyz` reports that the database is away.
    }
  }

  return async () => {
    const limited = [...projects].flatMap(([projectId, { limits }]) =>
      limits.projectTokensPerDay === null ? [] : [{ projectId, tokens: limits.projectTokensPerDay }],
    );
    if (limited.length === 0) return [];
    const now = clock();
    if (askedAt === undefined || Math.abs(now.getTime() - askedAt) >= TABLE_SIZES_FRESH_MS) {
      askedAt = now.getTime();
      asking = ask(now);
    }
    await asking;
    return limited.map(({ projectId, tokens }) => ({ projectId, tokens, usedTokens: used.get(projectId) ?? 0 }));
  };
}
