import type { UsageKey, UsageQuery, UsageSum } from "@nitka/server";

/** The report that `nitka usage --json` prints. */
export interface UsageReport {
  readonly from: string;
  readonly to: string;
  readonly by: UsageKey;
  /** Absent when the report covers all projects. */
  readonly projectId?: string;
  readonly rows: readonly UsageSum[];
  /** The sum and the number of the rows that `--top` leaves out. */
  readonly others?: Sum & { readonly rows: number };
  readonly total: Sum;
}

export type Sum = Omit<UsageSum, "key" | "projectId" | "others">;

/**
 * @param sums of which some may be sums of others themselves
 * @param top how many rows to keep, those with the most tokens; the order stays. Default: all
 */
export function usageReport(
  { from, to, by, projectId }: UsageQuery,
  sums: readonly UsageSum[],
  top = sums.length,
): UsageReport {
  const rows = sums.filter((sum) => sum.others === undefined);
  const most = new Set(rows.toSorted((one, other) => tokensOf(other) - tokensOf(one)).slice(0, top));
  const others = sums.filter((sum) => !most.has(sum));
  return {
    from,
    to,
    by,
    ...(projectId !== undefined && { projectId }),
    rows: sums.filter((sum) => most.has(sum)),
    ...(others.length > 0 && { others: { rows: rowsOf(others), ...sumOf(others) } }),
    total: sumOf(sums),
  };
}

/** All tokens of a row: those sent and those written. */
export function tokensOf({ inputTokens, outputTokens }: Sum): number {
  return inputTokens + outputTokens;
}

function rowsOf(sums: readonly UsageSum[]): number {
  return sums.reduce((count, { others = 1 }) => count + others, 0);
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
