import type { Storage } from "../../storage/storage.ts";
import type { Limits } from "../projects/project.ts";
import { scrapedFigures } from "./scraped-figures.ts";

/** The daily token budget of a project. */
export interface ProjectBudget {
  readonly projectId: string;
  /** The size of the budget. */
  readonly tokens: number;
  /** `undefined` until it was read from the database once. */
  readonly usedTokens: number | undefined;
}

/** Returns the budgets of the projects that have one. */
export type Budgets = () => Promise<readonly ProjectBudget[]>;

interface BudgetOptions {
  readonly storage: { readonly usage: Pick<Storage["usage"], "report"> };
  readonly projects: ReadonlyMap<string, { readonly limits: Pick<Limits, "projectTokensPerDay"> }>;
  readonly clock: () => Date;
}

/** The usage is only read when some project has a budget. */
export function createBudgets({ storage, projects, clock }: BudgetOptions): Budgets {
  const usedTokens = scrapedFigures<ReadonlyMap<string, number> | undefined>(
    undefined,
    async (now) => {
      const day = now.toISOString().slice(0, 10);
      const rows = await storage.usage.report({ by: "project", from: day, to: day });
      return new Map(rows.map(({ key, inputTokens, outputTokens }) => [String(key), inputTokens + outputTokens]));
    },
    clock,
  );

  return async () => {
    const limited = [...projects].flatMap(([projectId, { limits }]) =>
      limits.projectTokensPerDay === null ? [] : [{ projectId, tokens: limits.projectTokensPerDay }],
    );
    if (limited.length === 0) return [];
    const used = await usedTokens();
    return limited.map(({ projectId, tokens }) => ({
      projectId,
      tokens,
      usedTokens: used && (used.get(projectId) ?? 0),
    }));
  };
}
