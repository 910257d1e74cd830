import type { StoredRun } from "../storage.ts";
import type { RunTable } from "./schema.ts";

/** A run as its row tells it. */
export function runOfRow(row: RunTable): StoredRun {
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
  };
}
