import type { EndFigures, Owner, StoredRun } from "../../storage.ts";
import type { UsedTokens } from "../../usage.ts";
import type { RunTable } from "../schema.ts";

/** The columns of a run. Prepared statements name their columns, because a migration may add others. */
export const runColumns = [
  "run.run_id",
  "run.thread_id",
  "run.question_id",
  "run.answer_id",
  "run.instance_id",
  "run.status",
  "run.started_at",
  "run.ended_at",
  "run.checkpoint_seq",
  "run.model_id",
  "run.input_tokens",
  "run.cached_tokens",
  "run.output_tokens",
] as const satisfies readonly `run.${keyof RunTable}`[];

/** The row that `runColumns` select. */
export type RunRow = Pick<
  RunTable,
  (typeof runColumns)[number] extends `run.${infer Name extends keyof RunTable}` ? Name : never
>;

/** The columns of a run with its `EndFigures`. */
export const measuredRunColumns = [...runColumns, "run.first_token_ms", "run.rejoins"] as const;

export type MeasuredRunRow = RunRow & Pick<RunTable, "first_token_ms" | "rejoins">;

/** The figures of a run; none until it ends. */
export function figuresOfRow({ first_token_ms, rejoins }: MeasuredRunRow): Partial<EndFigures> {
  return {
    ...(first_token_ms !== null && { firstTokenMs: first_token_ms }),
    ...(rejoins !== null && { rejoins }),
  };
}

export function ownerOfRow({ project_id, visitor_id }: Pick<RunTable, "project_id" | "visitor_id">): Owner {
  return { projectId: project_id, visitorId: visitor_id };
}

export function runOfRow(row: RunRow): StoredRun {
  return {
    runId: row.run_id,
    threadId: row.thread_id,
    questionId: row.question_id,
    answerId: row.answer_id,
    instanceId: row.instance_id,
    status: row.status,
    startedAt: row.started_at,
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
    checkpointSeq: row.checkpoint_seq,
    ...(row.model_id !== null && { modelId: row.model_id }),
    ...(row.input_tokens !== null && {
      tokens: {
        inputTokens: row.input_tokens,
        cachedInputTokens: row.cached_tokens ?? 0,
        outputTokens: row.output_tokens ?? 0,
      },
    }),
  };
}

/** The tokens of a run's answer, and the model of its last step: the fallback model if it took over. */
export function columnsOfUsed(
  used: readonly UsedTokens[],
): Partial<Pick<RunTable, "model_id" | "input_tokens" | "cached_tokens" | "output_tokens">> {
  const last = used.at(-1);
  if (!last) return {};
  return {
    model_id: last.modelId,
    input_tokens: used.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    cached_tokens: used.reduce((sum, { cachedInputTokens }) => sum + cachedInputTokens, 0),
    output_tokens: used.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}
