import type { Selectable } from "kysely";
import type { Message } from "@nitka/protocol";
import { applyEvent, endAnswer } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import type { StoredRun } from "../storage.ts";
import type { UsedTokens } from "../usage.ts";
import { usageStatements } from "./add-usage.ts";
import { readRunEvents } from "./run-event-rows.ts";
import { columnsOfAnswer, messageOfRow } from "./message-row.ts";
import { columnsOfUsed, runOfRow } from "./run-row.ts";
import type { RunTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/** Ends a run whose instance is gone. Its answer is what its log, or its last checkpoint, has. */
export async function interruptRun(
  transaction: Db,
  dialect: SqlDialect,
  run: Selectable<RunTable>,
  at: string,
): Promise<StoredRun> {
  const answer = endAnswer({ message: await storedAnswer(transaction, run), blocks: {} }, interrupted).message;
  const used = usedBy(run, answer);
  const ended = {
    // A log with `finish` is of a run whose process died between its last event and its end: that answer is complete.
    status: answer.status?.type === "complete" ? "complete" : "incomplete",
    ended_at: at,
    ...columnsOfUsed(used),
  } as const;
  await transaction
    .updateTable("run")
    .set({ ...ended, ended_ms: dialect.nowMs })
    .where("run_id", "=", run.run_id)
    .execute();
  await transaction
    .updateTable("message")
    .set(columnsOfAnswer(answer))
    .where("thread_id", "=", run.thread_id)
    .where("id", "=", run.answer_id)
    .execute();
  const owner = { projectId: run.project_id, visitorId: run.visitor_id };
  for (const statement of usageStatements(transaction, dialect)([{ owner, visitorKnown: true, used, at }])) {
    await transaction.executeQuery(statement);
  }
  return runOfRow({ ...run, ...ended });
}

/** An estimate of the tokens, which only the lost process knew: four characters are one token. */
function usedBy({ model_id, reserved_tokens }: Selectable<RunTable>, { content }: Message): readonly UsedTokens[] {
  if (model_id === null) return [];
  const outputTokens = content.length === 0 ? 0 : Math.ceil(JSON.stringify(content).length / 4);
  const tokens = { inputTokens: reserved_tokens, cachedInputTokens: 0, outputTokens };
  return [{ modelId: model_id, purpose: "answer", calls: 1, estimatedCalls: 1, ...tokens }];
}

const interrupted = { type: "incomplete", reason: "interrupted" } as const;

/** The answer that the log folds to; the last checkpoint where the log ends before it. */
async function storedAnswer(transaction: Db, run: Selectable<RunTable>): Promise<Message> {
  const log = await readRunEvents(transaction, run.run_id, 0);
  if ((log.at(-1)?.seq ?? 0) >= run.checkpoint_seq) {
    const events = log.flatMap(({ data }) => parseStreamEvent(data) ?? []);
    return events.reduce(applyEvent, beginAnswer(run.answer_id, run.question_id)).message;
  }
  const row = await transaction
    .selectFrom("message")
    .selectAll()
    .where("thread_id", "=", run.thread_id)
    .where("id", "=", run.answer_id)
    .executeTakeFirstOrThrow();
  return messageOfRow(row);
}
