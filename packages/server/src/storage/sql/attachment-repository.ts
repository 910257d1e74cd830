import type { Attachment } from "@nitka/protocol";
import type { Owner, Storage, StoredAttachment } from "../storage.ts";
import { ownedThreads } from "./owned-thread.ts";
import type { AttachmentTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { utcTime } from "./utc-time.ts";

/** Attachments without their bytes, which `fileRepository` has. */
export function attachmentRepository(
  db: Db,
  dialect: SqlDialect,
): Pick<Storage["attachments"], "find" | "findAll" | "count" | "expire"> {
  const findAll: Storage["attachments"]["findAll"] = async (owner, attachmentIds) => {
    if (attachmentIds.length === 0) return [];
    const rows = await attachmentsOf(db, owner)
      .select(["attachment_id", "type", "name", "content_type", "size", "url"])
      .select(["attachment.thread_id", "message_id"])
      .where("attachment_id", "in", attachmentIds)
      .execute();
    return rows.map(storedAttachmentOfRow);
  };

  return {
    find: async (owner, attachmentId) => (await findAll(owner, [attachmentId]))[0],
    findAll,

    count: async (owner, threadId) => {
      const { count } = await attachmentsOf(db, owner)
        .select((select) => select.fn.countAll<number | string>().as("count"))
        .where("attachment.thread_id", "=", threadId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    expire: async (before) => {
      const expired = db
        .deleteFrom("attachment")
        .where("message_id", "is", null)
        .where("created_at", "<", utcTime(before))
        .executeTakeFirst();
      return Number((await dialect.durable(expired)).numDeletedRows);
    },
  };
}

function storedAttachmentOfRow(
  row: Parameters<typeof attachmentOfRow>[0] & Pick<AttachmentTable, "thread_id" | "message_id">,
): StoredAttachment {
  const found = { attachment: attachmentOfRow(row), threadId: row.thread_id };
  return row.message_id === null ? found : { ...found, messageId: row.message_id };
}

/** An attachment of its row. */
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

/** The attachments of an owner's threads. */
export function attachmentsOf(db: Db, owner: Owner) {
  return ownedThreads(db, owner).innerJoin("attachment", "attachment.thread_id", "thread.thread_id");
}
