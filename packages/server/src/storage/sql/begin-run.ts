import { sql } from "kysely";
import type { Message } from "@nitka/protocol";
import { attachmentIdsOf } from "@nitka/protocol/message";
import type { BeginOptions, BeginRun, ExpectedCost, NewRun, Owner, StoredRun } from "../storage.ts";
import { columnsOfMessage } from "./message-row.ts";
import { lockOwner } from "./lock-owner.ts";
import { ownedThread } from "./owned-thread.ts";
import { runOfRow } from "./run-row.ts";
import { runningOf } from "./running-runs.ts";
import type { RunTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { spentBudget } from "./spent-budget.ts";
import { utcTime } from "./utc-time.ts";

/** See `Storage["runs"]["begin"]`. The thread stays locked throughout, so whatever is read here holds until the end. */
export function beginRun(
  db: Db,
  dialect: SqlDialect,
  owner: Owner,
  run: NewRun,
  question: Message,
  options: BeginOptions,
): Promise<BeginRun> {
  const { regenerate, at, limit = null, cost, budget } = options;
  const begin = db.transaction().execute(async (transaction): Promise<BeginRun> => {
    if (limit !== null || typeof budget?.visitorTokens === "number") await lockOwner(transaction, dialect, owner);
    const ofOwner = ownedThread(transaction, owner, run.threadId).select("thread_id");
    const thread = await (dialect.concurrent ? ofOwner.forUpdate() : ofOwner).executeTakeFirst();
    if (!thread) return { outcome: "missing", what: "thread" };

    const seen = await look(transaction, owner, run, question);
    const isKnown = seen.known_role !== null;
    if (isKnown && seen.known_role !== "user") return { outcome: "taken" };
    if (!isKnown && regenerate) return { outcome: "missing", what: "question" };
    if (!regenerate && seen.latest_id !== null)
      return { outcome: "known", run: await findRun(transaction, seen.latest_id) };
    if (seen.running_id !== null) return { outcome: "busy", run: await findRun(transaction, seen.running_id) };
    const running = Number(seen.running_count);
    if (limit !== null && running >= limit) return { outcome: "full", running };
    const hasParent = (question.parentId ?? null) !== null;
    if (!isKnown && hasParent && seen.parent_id === null) return { outcome: "missing", what: "parent" };
    if (run.answerId === question.id || seen.answer_id !== null) return { outcome: "taken" };

    if (budget) {
      // Held by each question of the project until it is stored, and nothing is waited for meanwhile.
      if (budget.projectTokens !== null) await dialect.lock(transaction, JSON.stringify(["tokens", owner.projectId]));
      const whose = await spentBudget(transaction, owner, budget, at);
      if (whose) return { outcome: "spent", whose };
    }

    return {
      outcome: "begun",
      run: await store(transaction, dialect, owner, run, isKnown ? undefined : question, {
        at: utcTime(at),
        position: (seen.last_position ?? 0) + 1,
        cost,
      }),
    };
  });
  return dialect.durable(begin);
}

/** All that decides whether a run may begin, in one round trip. */
function look(transaction: Db, owner: Owner, { threadId, answerId }: NewRun, { id, parentId = null }: Message) {
  return transaction
    .selectNoFrom((select) => {
      const messages = select.selectFrom("message").where("thread_id", "=", threadId);
      const runs = select.selectFrom("run").select("run_id").where("thread_id", "=", threadId).limit(1);
      return [
        messages.select("role").where("id", "=", id).as("known_role"),
        messages.select("id").where("id", "=", parentId).as("parent_id"),
        messages.select("id").where("id", "=", answerId).as("answer_id"),
        messages.select("position").orderBy("position", "desc").limit(1).as("last_position"),
        runs.where("question_id", "=", id).orderBy("position", "desc").as("latest_id"),
        runs.where("status", "=", "running").as("running_id"),
        runningOf(transaction, owner).as("running_count"),
      ];
    })
    .executeTakeFirstOrThrow();
}

async function findRun(transaction: Db, runId: string): Promise<StoredRun> {
  const row = await transaction.selectFrom("run").selectAll().where("run_id", "=", runId).executeTakeFirstOrThrow();
  return runOfRow(row);
}

/** Writes the run, its empty answer, and its question where that is new. */
async function store(
  transaction: Db,
  dialect: SqlDialect,
  owner: Owner,
  run: NewRun,
  question: Message | undefined,
  { at, position, cost }: { readonly at: string; readonly position: number; readonly cost: ExpectedCost | undefined },
) {
  const { threadId, questionId, answerId } = run;
  const answer: Message = {
    id: answerId,
    role: "assistant",
    content: [],
    parentId: questionId,
    createdAt: at,
    status: { type: "running" },
  };
  const rowAt = (message: Message, place: number) => ({
    thread_id: threadId,
    position: place,
    ...columnsOfMessage(message),
  });
  const messages = question
    ? [rowAt({ createdAt: at, ...question }, position), rowAt(answer, position + 1)]
    : [rowAt(answer, position)];
  const attachmentIds = question ? attachmentIdsOf(question) : [];
  if (attachmentIds.length > 0) await bindAttachments(transaction, threadId, questionId, attachmentIds);
  const row: RunTable = {
    run_id: run.runId,
    thread_id: threadId,
    project_id: owner.projectId,
    visitor_id: owner.visitorId,
    question_id: questionId,
    answer_id: answerId,
    instance_id: run.instanceId,
    status: "running",
    position: position + messages.length - 1,
    started_at: at,
    ended_at: null,
    checkpoint_seq: 0,
    cancel_requested: 0,
    model_id: cost?.modelId ?? null,
    reserved_tokens: 0,
    input_tokens: null,
    cached_tokens: null,
    output_tokens: null,
  };
  const slot = { log_slot: dialect.logSlot, begun_ms: dialect.nowMs, ended_ms: null };
  const insertMessages = transaction.insertInto("message").values(messages);
  const insertRun = transaction
    .insertInto("run")
    .values({ ...row, ...slot, ...(cost && { reserved_tokens: reservedTokens(dialect, run, question, cost) }) });
  const bump = (db: Pick<Db, "updateTable">) =>
    db.updateTable("thread").set({ updated_at: at, head_id: answerId }).where("thread_id", "=", threadId).execute();
  if (dialect.concurrent) {
    // In one round trip.
    await bump(transaction.with("messages", () => insertMessages).with("begun", () => insertRun));
  } else {
    await insertMessages.execute();
    await insertRun.execute();
    await bump(transaction);
  }
  return runOfRow(row);
}

/** What is sent anew, and what the answer before took: the conversation up to there. */
function reservedTokens(
  dialect: SqlDialect,
  { threadId, questionId }: NewRun,
  question: Message | undefined,
  { inputTokens }: ExpectedCost,
) {
  return sql<number>`${inputTokens} + coalesce((
    select max(coalesce(before.input_tokens, 0) + coalesce(before.output_tokens, 0)) from ${dialect.table("run")} as before
    where before.thread_id = ${threadId}
      and (before.answer_id = ${question?.parentId ?? null} or before.question_id = ${questionId})
  ), 0)`;
}

/** What was sent once stays bound to the message that it was first sent with. */
async function bindAttachments(transaction: Db, threadId: string, messageId: string, ids: readonly string[]) {
  await transaction
    .updateTable("attachment")
    .set({ message_id: messageId })
    .where("thread_id", "=", threadId)
    .where("attachment_id", "in", ids)
    .where("message_id", "is", null)
    .execute();
}
