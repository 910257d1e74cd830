import { createHash } from "node:crypto";
import { sql } from "kysely";
import { cleanJson, cleanText } from "../../../clean-text.ts";
import type { DeskStorage } from "../../desk.ts";
import type { NewUnanswered, Unanswered, UnansweredQuery, UnansweredStorage } from "../../unanswered.ts";
import { ownedThread } from "../rows/owned-thread.ts";
import type { UnansweredTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcTime } from "../utc-time.ts";

/** A longer question has pasted text in it. An operator can read the conversation. */
const MAX_QUESTION_CHARS = 2_000;

export function unansweredRepository(db: Db, dialect: SqlDialect): UnansweredStorage {
  return {
    keep: async (owner, entry) => {
      const { threadId, reason } = entry;
      const row = rowOf(owner.projectId, entry);
      const columns = Object.keys(row) as (keyof UnansweredTable)[];
      const keeping = db
        .insertInto("unanswered")
        .columns(columns)
        // Its thread is read in the same statement: none may have been deleted in between.
        .expression(ownedThread(db, owner, threadId).select(columns.map((name) => sql.val(row[name]).as(name))))
        .onConflict((conflict) =>
          reason === "disliked" ? conflict.column("id").doUpdateSet(row) : conflict.column("id").doNothing(),
        )
        .executeTakeFirst();
      return ((await dialect.durable(keeping)).numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    withdraw: async (owner, threadId, messageId) => {
      const withdrawing = db
        .deleteFrom("unanswered")
        .where("id", "=", idOf(threadId, messageId))
        .where("thread_id", "in", ownedThread(db, owner, threadId).select("thread.thread_id"))
        .where("reason", "=", "disliked")
        .executeTakeFirst();
      return (await dialect.durable(withdrawing)).numDeletedRows > 0n;
    },
  };
}

/** `DeskStorage["unanswered"]`. Nobody may read what the visitor has deleted. */
export async function listUnanswered(
  db: Db,
  { projectIds, from, limit }: UnansweredQuery,
): Promise<readonly Unanswered[]> {
  if (projectIds.length === 0) return [];
  const rows = await db
    .selectFrom("unanswered")
    .innerJoin("thread", "thread.thread_id", "unanswered.thread_id")
    .selectAll("unanswered")
    .where("thread.archived_at", "is", null)
    .where("unanswered.project_id", "in", projectIds)
    .where("unanswered.at", ">=", utcTime(from))
    .orderBy("unanswered.at", "desc")
    .orderBy("unanswered.id")
    .limit(limit)
    .execute();
  return rows.map(unansweredOfRow);
}

/** `DeskStorage["closeUnanswered"]`. */
export function closeUnanswered(db: Db, dialect: SqlDialect): DeskStorage["closeUnanswered"] {
  return async (projectIds, ids) => {
    if (projectIds.length === 0 || ids.length === 0) return 0;
    const closing = db
      .deleteFrom("unanswered")
      .where("id", "in", ids)
      .where("project_id", "in", projectIds)
      .executeTakeFirst();
    return Number((await dialect.durable(closing)).numDeletedRows);
  };
}

function rowOf(projectId: string, entry: NewUnanswered): UnansweredTable {
  const { threadId, messageId, question, reason, at, passages, comment } = entry;
  return {
    id: idOf(threadId, messageId),
    thread_id: threadId,
    message_id: messageId,
    project_id: projectId,
    reason,
    question: cleanText(question.slice(0, MAX_QUESTION_CHARS)),
    passages: cleanJson(passages),
    comment: comment === undefined ? null : cleanText(comment),
    at: utcTime(at),
  };
}

function unansweredOfRow(row: UnansweredTable): Unanswered {
  return {
    id: row.id,
    projectId: row.project_id,
    threadId: row.thread_id,
    messageId: row.message_id,
    question: row.question,
    reason: row.reason,
    at: row.at,
    passages: JSON.parse(row.passages) as Unanswered["passages"],
    ...(row.comment !== null && { comment: row.comment }),
  };
}

/** Short enough to be typed into a command. */
function idOf(threadId: string, messageId: string): string {
  return createHash("sha256")
    .update(JSON.stringify([threadId, messageId]))
    .digest("hex")
    .slice(0, 16);
}
