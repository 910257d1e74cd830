import { createHash } from "node:crypto";
import { cleanJson, cleanText } from "../../../clean-text.ts";
import type { DeskStorage } from "../../desk.ts";
import type { Owner } from "../../stored.ts";
import type { NewUnanswered, Unanswered, UnansweredQuery, UnansweredStorage } from "../../unanswered.ts";
import { ownedThread } from "../rows/owned-thread.ts";
import { lockRows } from "../rows/lock-rows.ts";
import type { MessageTable, UnansweredTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcTime } from "../utc-time.ts";

/** A longer question usually contains pasted text. An operator can read the full question in the conversation. */
const MAX_QUESTION_CHARS = 2_000;

export function unansweredRepository(db: Db, dialect: SqlDialect): UnansweredStorage {
  /**
   * Works on an answer's entry while the thread's lock keeps the rating from changing. Of two concurrent ratings the
   * stored one decides, whatever the order in which their entries are requested.
   */
  function besideRating(
    owner: Owner,
    { threadId, messageId }: Pick<NewUnanswered, "threadId" | "messageId">,
    work: (transaction: Db, dislike: Pick<MessageTable, "rating_reason"> | undefined) => Promise<boolean>,
  ): Promise<boolean> {
    const working = db.transaction().execute(async (transaction) => {
      const owned = ownedThread(transaction, owner, threadId).select("thread.thread_id");
      if (!(await lockRows(dialect, owned).executeTakeFirst())) return false;
      const dislike = await transaction
        .selectFrom("message")
        .select("rating_reason")
        .where("thread_id", "=", threadId)
        .where("id", "=", messageId)
        .where("rating", "=", "down")
        .executeTakeFirst();
      return await work(transaction, dislike);
    });
    return dialect.durable(working);
  }

  return {
    keep: (owner, entry) =>
      besideRating(owner, entry, async (transaction, dislike) => {
        const isDisliked = entry.reason === "disliked";
        if (isDisliked && !dislike) return false;
        const row = rowOf(owner.projectId, entry, isDisliked ? dislike?.rating_reason : undefined);
        const { numInsertedOrUpdatedRows = 0n } = await transaction
          .insertInto("unanswered")
          .values(row)
          .onConflict((conflict) =>
            isDisliked ? conflict.column("id").doUpdateSet(row) : conflict.column("id").doNothing(),
          )
          .executeTakeFirstOrThrow();
        return numInsertedOrUpdatedRows > 0n;
      }),

    withdraw: (owner, threadId, messageId) =>
      besideRating(owner, { threadId, messageId }, async (transaction, dislike) => {
        if (dislike) return false;
        const { numDeletedRows } = await transaction
          .deleteFrom("unanswered")
          .where("id", "=", idOf(threadId, messageId))
          .where("reason", "=", "disliked")
          .executeTakeFirstOrThrow();
        return numDeletedRows > 0n;
      }),
  };
}

/** `DeskStorage["unanswered"]`. It leaves out threads that their visitor has deleted. */
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

function rowOf(projectId: string, entry: NewUnanswered, comment: string | null = null): UnansweredTable {
  const { threadId, messageId, question, reason, at, passages } = entry;
  return {
    id: idOf(threadId, messageId),
    thread_id: threadId,
    message_id: messageId,
    project_id: projectId,
    reason,
    question: cleanText(question.slice(0, MAX_QUESTION_CHARS)),
    passages: cleanJson(passages),
    comment,
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

/** Short enough to type into a command. */
function idOf(threadId: string, messageId: string): string {
  return createHash("sha256")
    .update(JSON.stringify([threadId, messageId]))
    .digest("hex")
    .slice(0, 16);
}
