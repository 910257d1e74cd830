import { sql } from "kysely";
import type { Attachment } from "@nitka/protocol";
import type { Owner, Storage, StoredAttachment } from "../../storage.ts";
import { inParts } from "../in-parts.ts";
import { ownedThreads } from "../rows/owned-thread.ts";
import type { AttachmentTable } from "../schema.ts";
import { lockFreeRows } from "../rows/lock-rows.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcTime } from "../utc-time.ts";

/** Attachments without their bytes, which `fileRepository` handles. */
export function attachmentRepository(
  db: Db,
  dialect: SqlDialect,
): Pick<Storage["attachments"], "find" | "findAll" | "count" | "expire" | "expireArchived"> {
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

    expire: (before) => dropUnsent(db, dialect, utcTime(before)),

    expireArchived: (before) => dropOfArchived(db, dialect, utcTime(before)),
  };
}

/** An unsent attachment, with its place in the order of dropping. */
type Unsent = Pick<AttachmentTable, "attachment_id" | "thread_id" | "project_id" | "created_at">;

/**
 * Drops attachments that were never sent. It locks their threads first, as every transaction does, and each part covers
 * one project, because the project's byte sum changes: in another order two transactions could deadlock. Threads in use
 * are left.
 */
async function* dropUnsent(db: Db, dialect: SqlDialect, before: string): AsyncGenerator<number> {
  let after: Unsent | undefined;
  let last: Unsent | undefined;
  let dropped = 0;
  const parts = inParts(db, dialect, { first: 20, most: 200, lock: "expire unsent" }, async (transaction, size) => {
    const found = await unsentAttachments(transaction, before, after).limit(size).execute();
    const ofProject = found.filter(({ project_id }) => project_id === found[0]?.project_id);
    last = ofProject.at(-1);
    dropped = ofProject.length === 0 ? 0 : await dropOfIdle(transaction, dialect, ofProject);
    return ofProject.length;
  });
  for await (const _ of parts) {
    after = last;
    yield dropped;
  }
}

/** Drops the attachments of threads that were archived before `before`, thread by thread. Threads in use are left. */
async function* dropOfArchived(db: Db, dialect: SqlDialect, before: string): AsyncGenerator<number> {
  let dropped = 0;
  const parts = inParts(
    db,
    dialect,
    { first: 1, most: 20, lock: "expire archived files" },
    async (transaction, size) => {
      const withFiles = transaction.selectFrom("attachment").select("thread_id").where("counted", "=", 0);
      const archived = transaction
        .selectFrom("thread")
        .select("thread_id")
        .where("thread_id", "in", withFiles)
        .where("archived_at", "<", before)
        .orderBy("thread_id")
        .limit(size);
      // The lock checks `archived_at` again: a thread that was restored in the meantime keeps its files.
      const held = (await lockFreeRows(dialect, archived).execute()).map(({ thread_id }) => thread_id);
      if (held.length === 0) return 0;
      const { numDeletedRows } = await transaction
        .deleteFrom("attachment")
        .where("thread_id", "in", held)
        .executeTakeFirst();
      dropped = Number(numDeletedRows);
      return held.length;
    },
  );
  for await (const _ of parts) yield dropped;
}

function unsentAttachments(
  transaction: Db,
  before: string,
  after: Pick<Unsent, "attachment_id" | "created_at"> = { attachment_id: "", created_at: "" },
) {
  return transaction
    .selectFrom("attachment")
    .select(["attachment_id", "thread_id", "project_id", "created_at"])
    .where("message_id", "is", null)
    .where("created_at", "<", before)
    .where("created_at", ">=", after.created_at)
    .where(sql<boolean>`(created_at, attachment_id) > (${after.created_at}, ${after.attachment_id})`)
    .orderBy("created_at")
    .orderBy("attachment_id");
}

/** Drops the attachments whose threads no other transaction has locked. Returns how many. */
async function dropOfIdle(transaction: Db, dialect: SqlDialect, unsent: readonly Unsent[]): Promise<number> {
  const threads = transaction
    .selectFrom("thread")
    .select("thread_id")
    .where("thread_id", "in", [...new Set(unsent.map(({ thread_id }) => thread_id))])
    .orderBy("thread_id");
  const held = await lockFreeRows(dialect, threads).execute();
  const isHeld = new Set(held.map(({ thread_id }) => thread_id));
  const ids = unsent.flatMap(({ thread_id, attachment_id }) => (isHeld.has(thread_id) ? [attachment_id] : []));
  if (ids.length === 0) return 0;
  const { numDeletedRows } = await transaction
    .deleteFrom("attachment")
    .where("attachment_id", "in", ids)
    .where("message_id", "is", null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function storedAttachmentOfRow(
  row: Parameters<typeof attachmentOfRow>[0] & Pick<AttachmentTable, "thread_id" | "message_id">,
): StoredAttachment {
  const found = { attachment: attachmentOfRow(row), threadId: row.thread_id };
  return row.message_id === null ? found : { ...found, messageId: row.message_id };
}

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
