import type { RateOutcome, Storage } from "../../storage.ts";
import { columnOfSuggestions, columnsOfFeedback } from "../rows/message-row.ts";
import { ownedThread } from "../rows/owned-thread.ts";
import { lockRows } from "../rows/lock-rows.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { webhookInserts, webhookRows } from "../webhooks/webhook-rows.ts";
import type { Telling } from "../../webhooks.ts";
import type { MessageTable } from "../schema.ts";

/**
 * The notes of an answer: feedback and suggestions. They are set independently of the content, also while the answer is
 * being written.
 */
export function messageNotes(db: Db, dialect: SqlDialect): Pick<Storage["messages"], "rate" | "suggest"> {
  const insertTold = webhookInserts(db, dialect);
  return {
    rate: (owner, threadId, messageId, feedback, telling) => {
      const rating = db.transaction().execute(async (transaction): Promise<RateOutcome> => {
        // Every transaction locks the thread first: with another order two transactions could deadlock.
        const owned = ownedThread(transaction, owner, threadId).select("thread.thread_id");
        const thread = await lockRows(dialect, owned).executeTakeFirst();
        if (!thread) return { outcome: "missing" };
        const found = await transaction
          .selectFrom("message")
          .select(["role", "rating", "rating_reason"])
          .where("thread_id", "=", threadId)
          .where("id", "=", messageId)
          .executeTakeFirst();
        if (!found) return { outcome: "missing" };
        if (found.role !== "assistant") return { outcome: "question" };
        const columns = columnsOfFeedback(feedback);
        await transaction
          .updateTable("run")
          .set({ rating: columns.rating })
          .where("thread_id", "=", threadId)
          .where("answer_id", "=", messageId)
          .execute();
        await transaction
          .updateTable("message")
          .set(columns)
          .where("thread_id", "=", threadId)
          .where("id", "=", messageId)
          .execute();
        const rows = telling
          ? webhookRows({ type: "message.rated", ...owner, threadId, messageId }, changesOf(telling, found, columns))
          : [];
        for (const statement of insertTold(rows)) await transaction.executeQuery(statement);
        return { outcome: "rated", before: found.rating };
      });
      return dialect.durable(rating);
    },

    suggest: async (owner, threadId, messageId, suggestions) => {
      const thread = ownedThread(db, owner, threadId).where("thread.head_id", "=", messageId);
      const suggesting = db
        .updateTable("message")
        .set({ suggestions: columnOfSuggestions(suggestions) })
        .where("thread_id", "in", thread.select("thread.thread_id"))
        .where("id", "=", messageId)
        .where("role", "=", "assistant")
        .executeTakeFirst();
      return (await dialect.durable(suggesting)).numUpdatedRows > 0;
    },
  };
}

type Rated = Pick<MessageTable, "rating" | "rating_reason">;

/** The webhooks to notify of a rating. When only the reason has changed, only webhooks that get texts are notified. */
function changesOf({ at, notices }: Telling, before: Rated, now: Rated): Telling {
  if (before.rating !== now.rating) return { at, notices };
  const isOther = before.rating_reason !== now.rating_reason;
  return { at, notices: notices.filter(({ texts }) => isOther && texts !== undefined) };
}
