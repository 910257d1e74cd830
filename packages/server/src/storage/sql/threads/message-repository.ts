import { endingIn } from "@nitka/protocol/branch";
import { sql } from "kysely";
import type { Owner, Storage } from "../../storage.ts";
import { compileOnce } from "../compile-once.ts";
import { messageNotes } from "./message-notes.ts";
import { messageColumns, messageOfRow } from "../rows/message-row.ts";
import { ownedThread } from "../rows/owned-thread.ts";
import type { SoughtThread } from "../rows/owned-thread.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

interface SoughtMessage extends SoughtThread {
  readonly messageId: string;
}

export function messageRepository(db: Db, dialect: SqlDialect): Storage["messages"] {
  const find = compileOnce(({ owner, threadId, messageId }: SoughtMessage) =>
    messagesIn(db, owner, threadId).select(messageColumns).where("message.id", "=", messageId).compile(),
  );

  return {
    tree: async (owner, threadId) => {
      const rows = await messagesIn(db, owner, threadId)
        .select(["message.id", "parent_id", "role", "head_id"])
        // Both databases know the length of a long text without reading it.
        .select(sql<number>`octet_length(content) + coalesce(octet_length(attachments), 0)`.as("bytes"))
        .orderBy("position")
        .execute();
      const nodes = rows.map(({ id, parent_id, role, bytes }) => ({ id, parentId: parent_id, role, bytes }));
      return endingIn(nodes, rows[0]?.head_id ?? null);
    },

    read: async (owner, threadId, messageIds) => {
      if (messageIds.length === 0) return [];
      const rows = await messagesIn(db, owner, threadId)
        .select(messageColumns)
        .where("message.id", "in", messageIds)
        .orderBy("position")
        .execute();
      return rows.map(messageOfRow);
    },

    find: async (owner, threadId, messageId) => {
      const {
        rows: [row],
      } = await db.executeQuery(find({ owner, threadId, messageId }));
      return row && messageOfRow(row);
    },

    text: (owner, threadId, messageId) => messageText(db, owner, threadId, messageId),

    ...messageNotes(db, dialect),
  };
}

/**
 * The number of characters that one query reads. `substr` scans the text from its beginning, so fewer queries are
 * cheaper.
 */
const PIECE_CHARS = 1_000_000;

/** The content is stored as JSON, so it is passed on without parsing and without holding it completely in memory. */
async function* messageText(db: Db, owner: Owner, threadId: string, messageId: string): AsyncGenerator<string> {
  const ofMessage = messagesIn(db, owner, threadId).where("message.id", "=", messageId);
  const row = await ofMessage
    .select(["message.id", "thread.thread_id", "position", "parent_id", "role", "status", "reason", "error", "code"])
    .select(["message.created_at", "suggestions", "rating", "rating_reason"])
    .select(sql<number | null>`octet_length(attachments)`.as("attachments"))
    .executeTakeFirst();
  if (!row) return;
  const { content: _, ...rest } = messageOfRow({ ...row, content: '""', attachments: null });
  yield `${JSON.stringify(rest).slice(0, -1)},"content":`;
  yield* pieces("content");
  if (row.attachments !== null) {
    yield ',"attachments":';
    yield* pieces("attachments");
  }
  yield "}";

  async function* pieces(column: "content" | "attachments"): AsyncGenerator<string> {
    for (let start = 1; ; start += PIECE_CHARS) {
      const part = sql<string | null>`substr(${sql.ref(`message.${column}`)}, ${start}, ${PIECE_CHARS})`;
      const piece = (await ofMessage.select(part.as("piece")).executeTakeFirst())?.piece;
      // The reader must get an error here: half a message would only be malformed JSON.
      if (piece === undefined || piece === null)
        throw new Error(`The message ${messageId} was deleted while it was read.`);
      yield piece;
      // JavaScript counts some characters twice, which can only make a piece longer. A shorter piece is therefore the
      // last.
      if (piece.length < PIECE_CHARS) return;
    }
  }
}

function messagesIn(db: Db, owner: Owner, threadId: string) {
  return ownedThread(db, owner, threadId).innerJoin("message", "message.thread_id", "thread.thread_id");
}
