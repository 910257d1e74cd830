import { headBelow } from "@nitka/protocol/branch";
import type { Message } from "@nitka/protocol";
import type { Storage } from "../storage.ts";
import { messageOfRow } from "./message-row.ts";
import { ownedThread } from "./owned-thread.ts";
import type { Db } from "./sql-dialect.ts";

export function messageRepository(db: Db): Storage["messages"] {
  return {
    list: async (owner, threadId) => {
      const thread = await ownedThread(db, owner, threadId).select("head_id").executeTakeFirst();
      return thread ? endingIn(await messagesOf(db, threadId), thread.head_id) : [];
    },

    find: async (owner, threadId, messageId) => {
      const row = await ownedThread(db, owner, threadId)
        .innerJoin("message", "message.thread_id", "thread.thread_id")
        .selectAll("message")
        .where("message.id", "=", messageId)
        .executeTakeFirst();
      return row && messageOfRow(row);
    },
  };
}

/** Every message of a thread in the order of its coming, whoever owns it. */
export async function messagesOf(db: Db, threadId: string): Promise<readonly Message[]> {
  const rows = await db
    .selectFrom("message")
    .selectAll()
    .where("thread_id", "=", threadId)
    .orderBy("position")
    .execute();
  return rows.map(messageOfRow);
}

/** The messages with the end of the branch that holds `headId` as the last. Parents still come before children. */
function endingIn(messages: readonly Message[], headId: string | null): readonly Message[] {
  const last = messages.at(-1);
  if (headId === null || last === undefined || last.id === headId) return messages;
  const endId = headBelow(messages, headId);
  const end = messages.find(({ id }) => id === endId);
  return end && end !== last ? [...messages.filter((message) => message !== end), end] : messages;
}
