import type { Feedback, Message, Suggestion } from "@nitka/protocol";
import type { RateOutcome, Storage } from "../storage.ts";
import { cleanJson, cleanText } from "../../clean-text.ts";
import { ownedThread } from "./owned-thread.ts";
import type { MessageTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

type NoteColumn = "suggestions" | "rating" | "rating_reason";

/** What belongs to an answer beside its content. It is set apart from the content, also while the answer is being written. */
export function messageNotes(db: Db, dialect: SqlDialect): Pick<Storage["messages"], "rate" | "suggest"> {
  return {
    rate: (owner, threadId, messageId, feedback) => {
      const rating = db.transaction().execute(async (transaction): Promise<RateOutcome> => {
        // The thread is locked first, as in every transaction: in another order two transactions could deadlock.
        const owned = ownedThread(transaction, owner, threadId).select("thread.thread_id");
        const thread = await (dialect.concurrent ? owned.forUpdate() : owned).executeTakeFirst();
        if (!thread) return { outcome: "missing" };
        const found = await transaction
          .selectFrom("message")
          .select(["role", "rating"])
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

/** The notes of a message, from its row. */
export function notesOfRow({
  suggestions,
  rating,
  rating_reason,
}: Pick<MessageTable, NoteColumn>): Pick<Message, "suggestions" | "feedback"> {
  return {
    ...(suggestions !== null && { suggestions: JSON.parse(suggestions) as readonly Suggestion[] }),
    ...(rating !== null && { feedback: { rating, ...(rating_reason !== null && { reason: rating_reason }) } }),
  };
}

export function columnOfSuggestions(suggestions: readonly Suggestion[] | undefined): string | null {
  return suggestions && suggestions.length > 0 ? cleanJson(suggestions) : null;
}

function columnsOfFeedback(feedback: Feedback | null): Pick<MessageTable, "rating" | "rating_reason"> {
  return {
    rating: feedback?.rating ?? null,
    rating_reason: feedback?.reason === undefined ? null : cleanText(feedback.reason),
  };
}
