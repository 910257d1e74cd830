import type { Message } from "@nitka/protocol";
import type { BeginRun, NewRun, Owner } from "../storage.ts";
import { columnsOfMessage } from "./message-row.ts";
import { lockOwner } from "./lock-owner.ts";
import { ownedThread } from "./owned-thread.ts";
import { runOfRow } from "./run-row.ts";
import { countRunning, findRunning } from "./running-runs.ts";
import type { RunTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { utcTime } from "./utc-time.ts";

export interface BeginOptions {
  readonly regenerate: boolean;
  readonly at: string;
  readonly limit?: number | null;
}

/** See `Storage["runs"]["begin"]`. The thread stays locked throughout, so whatever is read here holds until the end. */
export function beginRun(
  db: Db,
  dialect: SqlDialect,
  owner: Owner,
  run: NewRun,
  question: Message,
  { regenerate, at, limit = null }: BeginOptions,
): Promise<BeginRun> {
  const begin = db.transaction().execute(async (transaction): Promise<BeginRun> => {
    if (limit !== null) await lockOwner(transaction, dialect, owner);
    const ofOwner = ownedThread(transaction, owner, run.threadId).select("thread_id");
    const thread = await (dialect.concurrent ? ofOwner.forUpdate() : ofOwner).executeTakeFirst();
    if (!thread) return { outcome: "missing", what: "thread" };

    const known = await findMessage(transaction, run.threadId, question.id);
    if (known && known.role !== "user") return { outcome: "taken" };
    if (!known && regenerate) return { outcome: "missing", what: "question" };
    if (known && !regenerate) {
      const latest = await latestRun(transaction, run.threadId, question.id);
      if (latest) return { outcome: "known", run: runOfRow(latest) };
    }

    const running = await findRunning(transaction, run.threadId);
    if (running) return { outcome: "busy", run: runOfRow(running) };
    if (limit !== null) {
      const count = await countRunning(transaction, owner);
      if (count >= limit) return { outcome: "full", running: count };
    }

    const parentId = question.parentId ?? null;
    if (!known && parentId !== null && !(await findMessage(transaction, run.threadId, parentId))) {
      return { outcome: "missing", what: "parent" };
    }
    if (run.answerId === question.id || (await findMessage(transaction, run.threadId, run.answerId))) {
      return { outcome: "taken" };
    }

    return {
      outcome: "begun",
      run: await store(transaction, dialect, owner, run, known ? undefined : question, utcTime(at)),
    };
  });
  return dialect.durable(begin);
}

/** Writes the run, its empty answer, and its question where that is new. */
async function store(
  transaction: Db,
  dialect: SqlDialect,
  owner: Owner,
  run: NewRun,
  question: Message | undefined,
  at: string,
) {
  const { threadId, questionId, answerId } = run;
  const position = await nextPosition(transaction, threadId);
  if (question) {
    await transaction
      .insertInto("message")
      .values({ thread_id: threadId, position, ...columnsOfMessage({ createdAt: at, ...question }) })
      .execute();
    const attachmentIds = (question.attachments ?? []).map(({ id }) => id);
    if (attachmentIds.length > 0) await bindAttachments(transaction, threadId, question.id, attachmentIds);
  }
  const answer: Message = {
    id: answerId,
    role: "assistant",
    content: [],
    parentId: questionId,
    createdAt: at,
    status: { type: "running" },
  };
  await transaction
    .insertInto("message")
    .values({ thread_id: threadId, position: position + 1, ...columnsOfMessage(answer) })
    .execute();
  const row: RunTable = {
    run_id: run.runId,
    thread_id: threadId,
    project_id: owner.projectId,
    visitor_id: owner.visitorId,
    question_id: questionId,
    answer_id: answerId,
    instance_id: run.instanceId,
    status: "running",
    position: position + 1,
    started_at: at,
    ended_at: null,
    checkpoint_seq: 0,
    cancel_requested: 0,
  };
  const slot = { log_slot: dialect.logSlot, begun_ms: dialect.nowMs, ended_ms: null };
  await transaction
    .insertInto("run")
    .values({ ...row, ...slot })
    .execute();
  await transaction
    .updateTable("thread")
    .set({ updated_at: at, head_id: answerId })
    .where("thread_id", "=", threadId)
    .execute();
  return runOfRow(row);
}

function findMessage(transaction: Db, threadId: string, messageId: string) {
  return transaction
    .selectFrom("message")
    .select("role")
    .where("thread_id", "=", threadId)
    .where("id", "=", messageId)
    .executeTakeFirst();
}

function latestRun(transaction: Db, threadId: string, questionId: string) {
  return transaction
    .selectFrom("run")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where("question_id", "=", questionId)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
}

async function nextPosition(transaction: Db, threadId: string): Promise<number> {
  const last = await transaction
    .selectFrom("message")
    .select("position")
    .where("thread_id", "=", threadId)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return (last?.position ?? 0) + 1;
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
