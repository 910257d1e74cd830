import type { CompiledQuery } from "kysely";
import type { UsedTokens } from "../../usage.ts";
import { usageStatements } from "../usage/add-usage.ts";
import type { UsageEntry } from "../usage/add-usage.ts";
import { rowOfEnd } from "./end-row.ts";
import type { RunEnd } from "./end-row.ts";
import type { EndStatements, Endable } from "./end-statements.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** An end that is to be stored, and its run before it. */
export type EndedRun = RunEnd & {
  readonly run: Endable;
  /** Whether it counts as a change of its thread, which moves to the top of its list. */
  readonly isChange: boolean;
};

/** Makes a function that returns the statements that write ends, for a transaction that has locked their threads. */
export function endWrites(
  db: Db,
  dialect: SqlDialect,
  statements: EndStatements,
): (ends: readonly EndedRun[]) => readonly CompiledQuery[] {
  const addUsage = usageStatements(db, dialect);
  return (ends) => {
    if (ends.length === 0) return [];
    const rows = ends.map((end) => {
      const { thread_id, answer_id } = end.run;
      const row = rowOfEnd(end);
      return { ...row, thread_id, answer_id, changed_at: end.isChange ? row.at : null };
    });
    const tails = ends.flatMap(({ log }) => log?.tail ?? []);
    return [
      ...statements.store(rows),
      ...(tails.length > 0 ? [statements.append(tails)] : []),
      ...addUsage(ends.flatMap(usageOf)),
    ];
  };
}

/** The tokens of an answer. For a run that was interrupted as stale, its estimate is subtracted. */
function usageOf({ run, used = [], at }: EndedRun): readonly UsageEntry[] {
  const owner = { projectId: run.project_id, visitorId: run.visitor_id };
  const now: UsageEntry = { owner, visitorKnown: true, used, at };
  if (run.ended_at === null || run.model_id === null || used.length === 0) return [now];
  const estimate: UsedTokens = {
    modelId: run.model_id,
    purpose: "answer",
    calls: -1,
    estimatedCalls: -1,
    inputTokens: -(run.input_tokens ?? 0),
    cachedInputTokens: 0,
    outputTokens: -(run.output_tokens ?? 0),
  };
  return [{ ...now, used: [estimate], at: run.ended_at }, now];
}
