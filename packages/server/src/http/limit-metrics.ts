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
  for (const [name, help, read] of [
    [
      "nitka_budget_tokens",
      "Tokens that a project may use in a day (UTC): its projectTokensPerDay",
      (budget) => budget.tokens,
    ],
    [
      "nitka_budget_tokens_used",
      "Tokens that a project with a budget has used today (UTC), as of the last minute",
      (budget) => budget.usedTokens,
    ],
  ] as const satisfies readonly (readonly [string, string, (budget: ProjectBudget) => number | undefined])[]) {
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
  }
  for (const [name, help, read] of [
    ["nitka_disk_bytes", "Size of the disk of the SQLite database", (disk) => disk.bytes],
    ["nitka_disk_free_bytes", "Free space of that disk", (disk) => disk.freeBytes],
  ] as const satisfies readonly (readonly [string, string, (disk: NonNullable<StorageFigures["disk"]>) => number])[]) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      collect: () => {
        const disk = watched()?.figures().disk;
        // Without a value the gauge is removed: 0 would look like a disk without free space.
        if (disk) gauge.set(read(disk));
        else gauge.remove();
      },
    });
  }
  return { refused: ({ code, limit }) => refusals.inc({ code, limit }) };
}
