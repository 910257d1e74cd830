import type { FileStore } from "../../files/file-store.ts";
import { StorageUnavailableError } from "../../storage.ts";
import type { ByteRange, Owner, Pieces, Storage } from "../../storage.ts";
import { attachmentsOf } from "./attachment-repository.ts";
import { cleanText } from "../../../clean-text.ts";
import { ownedThread } from "../rows/owned-thread.ts";
import { sweepFiles } from "./sweep-files.ts";
import type { AttachmentTable } from "../schema.ts";
import { lockRows } from "../rows/lock-rows.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcTime } from "../utc-time.ts";

/** Reads an attachment's bytes, or a range of them, from the store that has them. */
export type ReadFile = (row: Pick<AttachmentTable, "attachment_id" | "size" | "store">, range?: ByteRange) => Pieces;

type Files = Pick<Storage["attachments"], "reserve" | "heldBytes" | "write" | "create" | "release" | "read" | "sweep">;

/** New files are written to the first store. Files in the other stores are still read and deleted. */
export type Stores = readonly [FileStore, ...FileStore[]];

/**
 * The bytes of attachments and the account of stored bytes. Every file without an attachment has a row in `stray_file`:
 * before its first byte is written, and again when its attachment is deleted. So `sweep` finds every file that a dead
 * process has left behind.
 */
export function fileRepository(db: Db, dialect: SqlDialect, stores: Stores): Files {
  const [store] = stores;
  const readFile = fileReader(stores);

  return {
    reserve: (owner, threadId, { fileId, bytes, until, limit, projectLimit = null }) => {
      const reserve = db.transaction().execute(async (transaction) => {
        if (limit !== null)
          await dialect.lock(JSON.stringify(["files", owner.projectId, owner.visitorId]))?.execute(transaction);
        if (!(await ownedThread(transaction, owner, threadId).select("thread_id").executeTakeFirst())) return "missing";
        if (limit !== null && (await bytesOfOwner(transaction, owner, fileId)) + bytes > limit) return "full";
        if (projectLimit !== null) {
          await dialect.lock(JSON.stringify(["files", owner.projectId]))?.execute(transaction);
          if ((await bytesOfProject(transaction, owner.projectId, fileId)) + bytes > projectLimit)
            return "project full";
        }
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto("stray_file")
          .values({
            file_id: fileId,
            store: store.name,
            project_id: owner.projectId,
            visitor_id: owner.visitorId,
            size: bytes,
            due_at: utcTime(until),
            dropped: 0,
          })
          .onConflict((conflict) =>
            conflict.column("file_id").doUpdateSet({ size: bytes }).where("stray_file.dropped", "=", 0),
          )
          .executeTakeFirstOrThrow();
        return numInsertedOrUpdatedRows === 0n ? "missing" : "reserved";
      });
      return dialect.durable(reserve);
    },

    heldBytes: store.heldBytes,

    write: (fileId, pieces) => store.write(fileId, pieces),

    create: (owner, threadId, attachment, { at, messageId }) =>
      dialect.durable(
        db.transaction().execute(async (transaction) => {
          // Locked, so that a transaction that archives the thread at the same time also deletes this attachment.
          const ofOwner = ownedThread(transaction, owner, threadId).select("thread_id");
          const thread = await lockRows(dialect, ofOwner).executeTakeFirst();
          if (!thread) return false;
          const { numDeletedRows } = await transaction
            .deleteFrom("stray_file")
            .where("file_id", "=", attachment.id)
            .where("dropped", "=", 0)
            .where("due_at", ">", utcTime(at))
            .executeTakeFirst();
          if (numDeletedRows === 0n) return false;
          await transaction
            .insertInto("attachment")
            .values({
              attachment_id: attachment.id,
              thread_id: threadId,
              message_id: messageId ?? null,
              type: attachment.type,
              name: cleanText(attachment.name),
              content_type: cleanText(attachment.contentType),
              size: attachment.size,
              url: cleanText(attachment.url),
              created_at: utcTime(at),
              store: store.name,
              project_id: owner.projectId,
              visitor_id: owner.visitorId,
            })
            .execute();
          return true;
        }),
      ),

    release: async (fileId) => {
      // The room is freed first, because the visitor may need it. If deleting the bytes fails, `sweep` finds them by
      // the row.
      const { numUpdatedRows } = await db
        .updateTable("stray_file")
        .set({ size: 0, due_at: "", dropped: 1 })
        .where("file_id", "=", fileId)
        .executeTakeFirstOrThrow();
      const attached = db.selectFrom("attachment").select("attachment_id").where("attachment_id", "=", fileId);
      // The file has become an attachment, but the database's confirmation of that was lost.
      if (numUpdatedRows === 0n && (await attached.executeTakeFirst())) return;
      await store.delete(fileId);
      await db.deleteFrom("stray_file").where("file_id", "=", fileId).where("dropped", "=", 1).execute();
    },

    read: async (owner, attachmentId, range) => {
      const row = await attachmentsOf(db, owner)
        .select(["attachment_id", "size", "store"])
        .where("attachment_id", "=", attachmentId)
        .executeTakeFirst();
      return row && readFile(row, range);
    },

    sweep: (at) => sweepFiles(db, dialect, stores, at),
  };
}

export function fileReader(stores: Stores): ReadFile {
  return ({ attachment_id, size, store }, range = { start: 0, end: size }) => {
    const found = stores.find(({ name }) => name === store);
    if (found) return found.read(attachment_id, range);
    throw new StorageUnavailableError(
      `The file ${attachment_id} is in the store "${store}", for which this server has no setting: restore that setting.`,
    );
  };
}

/** The bytes of an owner's attachments and unfinished files, except for one file. */
async function bytesOfOwner(transaction: Db, owner: Owner, without: string): Promise<number> {
  const kept = attachmentsOf(transaction, owner).select((select) => select.fn.sum<Sum>("size").as("bytes"));
  const unfinished = unfinishedOf(transaction, owner.projectId, without).where("visitor_id", "=", owner.visitorId);
  // One query, so that a file that becomes an attachment at the same time is counted exactly once.
  const look = transaction.selectNoFrom(() => [kept.as("kept"), unfinished.as("unfinished")]);
  return total(await look.executeTakeFirstOrThrow());
}

/** The bytes of a project's attachments and unfinished files, except for one file. */
async function bytesOfProject(transaction: Db, projectId: string, without: string): Promise<number> {
  const kept = transaction.selectFrom("project_storage").select("bytes").where("project_id", "=", projectId);
  const unfinished = unfinishedOf(transaction, projectId, without);
  const look = transaction.selectNoFrom(() => [kept.as("kept"), unfinished.as("unfinished")]);
  return total(await look.executeTakeFirstOrThrow());
}

function unfinishedOf(transaction: Db, projectId: string, without: string) {
  return transaction
    .selectFrom("stray_file")
    .select((select) => select.fn.sum<Sum>("size").as("bytes"))
    .where("project_id", "=", projectId)
    .where("file_id", "!=", without);
}

/** Postgres returns large numbers as text. The sum of no rows is `null`. */
type Sum = number | string | null;

function total({ kept, unfinished }: { readonly kept: Sum; readonly unfinished: Sum }): number {
  return Number(kept ?? 0) + Number(unfinished ?? 0);
}
