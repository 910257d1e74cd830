/** Metrics of limits: refusals, token budgets, the disk. */
import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Budgets, ProjectBudget } from "../services/upkeep/budgets.ts";
import type { StorageFigures } from "../storage/storage.ts";

export interface LimitMetrics {
  refused(refusal: { readonly code: string; readonly limit: string }): void;
}

export interface LimitFigures {
  readonly figures: () => StorageFigures;
  readonly budgets: Budgets;
}

/** @param watched the source of the gauges at each scrape, while a server exists */
export function createLimitMetrics(registry: Registry, watched: () => LimitFigures | undefined): LimitMetrics {
  const registers = [registry];
  const refusals = new Counter({
    name: "nitka_refusals_total",
    help: "Requests that a limit refused, by the error's code and the limit's name",
    labelNames: ["code", "limit"],
    registers,
  });
  const budgetGauge = (name: string, help: string, read: (budget: ProjectBudget) => number | undefined) => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ["project"],
      registers,
      collect: async () => {
        const budgets = (await watched()?.budgets()) ?? [];
        gauge.reset();
        for (const budget of budgets) {
          const value = read(budget);
          if (value !== undefined) gauge.set({ project: budget.projectId }, value);
        }
      },
    });
  };
  const diskGauge = (name: string, help: string, field: keyof NonNullable<StorageFigures["disk"]>) => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      collect: () => {
        const disk = watched()?.figures().disk;
        // Without a value the gauge is removed: 0 would look like a disk without free space.
        if (disk) gauge.set(disk[field]);
        else gauge.remove();
      },
    });
  };
  budgetGauge(
    "nitka_budget_tokens",
    "Tokens that a project may use in a day (UTC): its projectTokensPerDay",
    ({ tokens }) => tokens,
  );
  budgetGauge(
    "nitka_budget_tokens_used",
    "Tokens that a project with a budget has used today (UTC), as of the last minute",
    ({ usedTokens }) => usedTokens,
  );
  diskGauge("nitka_disk_bytes", "Size of the disk of the SQLite database", "bytes");
  diskGauge("nitka_disk_free_bytes", "Free space of that disk", "freeBytes");
  return { refused: ({ code, limit }) => refusals.inc({ code, limit }) };
}
