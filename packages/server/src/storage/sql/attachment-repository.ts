import type { Attachment } from "@nitka/protocol";
import type { Owner, Storage } from "../storage.ts";
import { cleanText } from "./clean-text.ts";
import { ownedThread, ownedThreads } from "./owned-thread.ts";
import type { AttachmentTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { utcTime } from "./utc-time.ts";

export function attachmentRepository(db: Db, dialect: SqlDialect): Storage["attachments"] {
  return {
    create: (owner, threadId, attachment, bytes, at) =>
      dialect.durable(
        db.transaction().execute(async (transaction) => {
          // Locked, so that one who archives the thread just now deletes these bytes too.
          const ofOwner = ownedThread(transaction, owner, threadId).select("thread_id");
          const thread = await (dialect.concurrent ? ofOwner.forUpdate() : ofOwner).executeTakeFirst();
          if (!thread) return false;
          await transaction
            .insertInto("attachment")
            .values({
              attachment_id: attachment.id,
              thread_id: threadId,
              message_id: null,
              type: attachment.type,
              name: cleanText(attachment.name),
              content_type: cleanText(attachment.contentType),
              size: attachment.size,
              url: cleanText(attachment.url),
              created_at: utcTime(at),
              bytes,
            })
            .execute();
          return true;
        }),
      ),

    find: async (owner, attachmentId) => {
      const row = await attachmentsOf(db, owner)
        .select(["attachment_id", "type", "name", "content_type", "size", "url"])
        .select(["attachment.thread_id", "message_id"])
        .where("attachment_id", "=", attachmentId)
        .executeTakeFirst();
      if (!row) return undefined;
      return {
        attachment: attachmentOfRow(row),
        threadId: row.thread_id,
        ...(row.message_id !== null && { messageId: row.message_id }),
      };
    },

    read: async (owner, attachmentId) => {
      const row = await attachmentsOf(db, owner)
        .select("bytes")
        .where("attachment_id", "=", attachmentId)
        .executeTakeFirst();
      return row?.bytes;
    },

    count: async (owner, threadId) => {
      const { count } = await attachmentsOf(db, owner)
        .select((select) => select.fn.countAll<number | string>().as("count"))
        .where("attachment.thread_id", "=", threadId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    expire: async (before) => {
      const { numDeletedRows } = await db
        .deleteFrom("attachment")
        .where("message_id", "is", null)
        .where("created_at", "<", utcTime(before))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** An attachment, less its bytes. */
export function attachmentOfRow(
  row: Pick<AttachmentTable, "attachment_id" | "type" | "name" | "content_type" | "size" | "url">,
): Attachment {
  return {
    id: row.attachment_id,
    type: row.type,
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    url: row.url,
  };
}

function attachmentsOf(db: Db, owner: Owner) {
  return ownedThreads(db, owner).innerJoin("attachment", "attachment.thread_id", "thread.thread_id");
}
