import { sql } from "kysely";
import type { Thread } from "@nitka/protocol";
import type { Storage, StoredThread } from "../storage.ts";
import { cleanText } from "./clean-text.ts";
import { ownedBy, ownedThread, ownedThreads } from "./owned-thread.ts";
import { runOfRow } from "./run-row.ts";
import { findRunning } from "./running-runs.ts";
import type { ThreadTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { utcTime } from "./utc-time.ts";

export function threadRepository(db: Db, dialect: SqlDialect): Storage["threads"] {
  return {
    list: async (owner, { limit, before, at }) => {
      let query = ownedThreads(db, owner).select(["thread_id", "title", "updated_at"]);
      if (before !== undefined) {
        const cursor = await db
          .selectFrom("thread")
          .select("updated_at")
          .where("thread_id", "=", before)
          .where("project_id", "=", owner.projectId)
          .where("visitor_id", "=", owner.visitorId)
          .executeTakeFirst();
        if (!cursor) return [];
        const from = at === undefined ? cursor.updated_at : utcTime(at);
        query = query.where(sql<boolean>`(updated_at, thread_id) < (${from}, ${before})`);
      }
      const rows = await query.orderBy("updated_at", "desc").orderBy("thread_id", "desc").limit(limit).execute();
      return rows.map(threadOfRow);
    },

    count: async (owner) => {
      const { count } = await ownedThreads(db, owner)
        .select((select) => select.fn.countAll<number | string>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    find: async (owner, threadId) => {
      const row = await ownedThread(db, owner, threadId).selectAll().executeTakeFirst();
      return row && storedThreadOfRow(row);
    },

    create: async (owner, { threadId, title, updatedAt }) => {
      const insert = db
        .insertInto("thread")
        .values({
          thread_id: threadId,
          project_id: owner.projectId,
          visitor_id: owner.visitorId,
          title: title === undefined ? null : cleanText(title),
          titled_by: title === undefined ? null : "visitor",
          head_id: null,
          created_at: utcTime(updatedAt),
          updated_at: utcTime(updatedAt),
          archived_at: null,
        })
        .execute();
      await dialect.durable(insert);
    },

    rename: async (owner, threadId, title, by) => {
      let query = db
        .updateTable("thread")
        .set({ title: cleanText(title), titled_by: by })
        .where("thread_id", "=", threadId)
        .where(ownedBy(owner));
      if (by === "model")
        query = query.where((is) => is.or([is("titled_by", "is", null), is("titled_by", "=", "model")]));
      const { numUpdatedRows } = await dialect.durable(query.executeTakeFirst());
      return numUpdatedRows > 0n;
    },

    archive: (owner, threadId, at) =>
      dialect.durable(
        db.transaction().execute(async (transaction) => {
          const { numUpdatedRows } = await transaction
            .updateTable("thread")
            .set({ archived_at: utcTime(at) })
            .where("thread_id", "=", threadId)
            .where(ownedBy(owner))
            .executeTakeFirst();
          if (numUpdatedRows === 0n) return undefined;
          await transaction.deleteFrom("attachment").where("thread_id", "=", threadId).execute();
          const running = await findRunning(transaction, threadId);
          return running ? { running: runOfRow(running) } : {};
        }),
      ),

    setHead: async (owner, threadId, messageId) => {
      const update = db
        .updateTable("thread")
        .set({ head_id: messageId })
        .where("thread_id", "=", threadId)
        .where(ownedBy(owner))
        .where((is) =>
          is.exists(
            is.selectFrom("message").select("id").where("thread_id", "=", threadId).where("id", "=", messageId),
          ),
        )
        .execute();
      await dialect.durable(update);
    },
  };
}

/** A thread with all that is kept of it. */
export function storedThreadOfRow(
  row: Pick<ThreadTable, "thread_id" | "title" | "titled_by" | "head_id" | "updated_at">,
): StoredThread {
  return {
    ...threadOfRow(row),
    ...(row.titled_by !== null && { titledBy: row.titled_by }),
    ...(row.head_id !== null && { headId: row.head_id }),
  };
}

function threadOfRow(row: Pick<ThreadTable, "thread_id" | "title" | "updated_at">): Thread {
  return {
    threadId: row.thread_id,
    ...(row.title !== null && { title: row.title }),
    updatedAt: row.updated_at,
  };
}
