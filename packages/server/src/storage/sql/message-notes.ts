import type { Feedback, Message, Suggestion } from "@nitka/protocol";
import type { Storage } from "../storage.ts";
import { cleanJson, cleanText } from "./clean-text.ts";
import { ownedThread } from "./owned-thread.ts";
import type { MessageTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

type NoteColumn = "suggestions" | "rating" | "rating_reason";

/** What belongs to an answer beside its content. It is set apart from the content, also while the answer is being written. */
export function messageNotes(db: Db, dialect: SqlDialect): Pick<Storage["messages"], "rate" | "suggest"> {
  async function note(
    thread: ReturnType<typeof ownedThread>,
    messageId: string,
    columns: Partial<Pick<MessageTable, NoteColumn>>,
  ): Promise<boolean> {
    const noting = db
      .updateTable("message")
      .set(columns)
      .where("thread_id", "in", thread.select("thread.thread_id"))
      .where("id", "=", messageId)
      .where("role", "=", "assistant")
      .executeTakeFirst();
    return (await dialect.durable(noting)).numUpdatedRows > 0;
  }

  return {
    rate: async (owner, threadId, messageId, feedback) => {
      const found = await ownedThread(db, owner, threadId)
        .innerJoin("message", "message.thread_id", "thread.thread_id")
        .select(["role", "rating"])
        .where("message.id", "=", messageId)
        .executeTakeFirst();
      if (!found) return { outcome: "missing" };
      if (found.role !== "assistant") return { outcome: "question" };
      const isRated = await note(ownedThread(db, owner, threadId), messageId, columnsOfFeedback(feedback));
      return isRated ? { outcome: "rated", before: found.rating } : { outcome: "missing" };
    },

    suggest: (owner, threadId, messageId, suggestions) =>
      note(ownedThread(db, owner, threadId).where("thread.head_id", "=", messageId), messageId, {
        suggestions: columnOfSuggestions(suggestions),
      }),
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
