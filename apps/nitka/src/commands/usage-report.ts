import type { UsageKey, UsageQuery, UsageSum } from "@nitka/server";

/** What `nitka usage` prints, as JSON has it. */
export interface UsageReport {
  readonly from: string;
  readonly to: string;
  readonly by: UsageKey;
  /** All projects where it is absent. */
  readonly projectId?: string;
  readonly rows: readonly UsageSum[];
  /** The sum of the rows beyond those that were asked for, and how many they are. */
  readonly others?: Sum & { readonly rows: number };
  readonly total: Sum;
}

export type Sum = Omit<UsageSum, "key" | "projectId">;

/** @param top keeps the rows with the most tokens, in their order; all of them unless given */
export function usageReport(
  { from, to, by, projectId }: UsageQuery,
  sums: readonly UsageSum[],
  top = sums.length,
): UsageReport {
  const most = new Set(sums.toSorted((one, other) => tokensOf(other) - tokensOf(one)).slice(0, top));
  const others = sums.filter((sum) => !most.has(sum));
  return {
    from,
    to,
    by,
    ...(projectId !== undefined && { projectId }),
    rows: sums.filter((sum) => most.has(sum)),
    ...(others.length > 0 && { others: { rows: others.length, ...sumOf(others) } }),
    total: sumOf(sums),
  };
}

export function tokensOf({ inputTokens, outputTokens }: Sum): number {
  return inputTokens + outputTokens;
}

function sumOf(sums: readonly Sum[]): Sum {
  const of = (name: keyof Sum) => sums.reduce((sum, each) => sum + each[name], 0);
  return {
    calls: of("calls"),
    estimatedCalls: of("estimatedCalls"),
    inputTokens: of("inputTokens"),
    cachedInputTokens: of("cachedInputTokens"),
    outputTokens: of("outputTokens"),
  };
}
