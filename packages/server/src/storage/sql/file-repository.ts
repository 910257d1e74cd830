import type { FileStore } from "../files/file-store.ts";
import { StorageUnavailableError } from "../storage.ts";
import type { ByteRange, Owner, Pieces, Storage } from "../storage.ts";
import { attachmentsOf } from "./attachment-repository.ts";
import { cleanText } from "./clean-text.ts";
import { ownedThread } from "./owned-thread.ts";
import type { AttachmentTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { utcTime } from "./utc-time.ts";

/** Reads the bytes of an attachment, or of a range of it, from the store that has them. */
export type ReadFile = (row: Pick<AttachmentTable, "attachment_id" | "size" | "store">, range?: ByteRange) => Pieces;

type Files = Pick<Storage["attachments"], "reserve" | "heldBytes" | "write" | "create" | "release" | "read" | "sweep">;

/** The first takes what is written; what lies in the others is read and deleted there. */
export type Stores = readonly [FileStore, ...FileStore[]];

/** How many files are looked up at once to be deleted. */
const BATCH = 100;

/**
 * The bytes of attachments, and the account of them. Every file that no attachment names stands in `stray_file`: from
 * before its first byte is written, and again from the moment that its attachment goes. A process that dies in between
 * leaves nothing behind that `sweep` does not find.
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
        if (limit !== null && (await bytesOf(transaction, owner, fileId)) + bytes > limit) return "full";
        if (projectLimit !== null) {
          await dialect.lock(JSON.stringify(["files", owner.projectId]))?.execute(transaction);
          if ((await bytesIn(transaction, owner.projectId, fileId)) + bytes > projectLimit) return "project full";
        }
        await transaction
          .insertInto("stray_file")
          .values({
            file_id: fileId,
            store: store.name,
            project_id: owner.projectId,
            visitor_id: owner.visitorId,
            size: bytes,
            due_at: utcTime(until),
          })
          .onConflict((conflict) => conflict.column("file_id").doUpdateSet({ size: bytes }))
          .execute();
        return "reserved";
      });
      return dialect.durable(reserve);
    },

    heldBytes: store.heldBytes,

    write: (fileId, pieces) => store.write(fileId, pieces),

    create: (owner, threadId, attachment, { at, messageId }) =>
      dialect.durable(
        db.transaction().execute(async (transaction) => {
          // Locked, so that one who archives the thread just now deletes this attachment too.
          const ofOwner = ownedThread(transaction, owner, threadId).select("thread_id");
          const thread = await (dialect.concurrent ? ofOwner.forUpdate() : ofOwner).executeTakeFirst();
          if (!thread) return false;
          const { numDeletedRows } = await transaction
            .deleteFrom("stray_file")
            .where("file_id", "=", attachment.id)
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
            })
            .execute();
          return true;
        }),
      ),

    release: async (fileId) => {
      // First the room: the visitor needs it, and the bytes are found again by their row.
      await db
        .updateTable("stray_file")
        .set({ project_id: "", visitor_id: "", size: 0, due_at: "" })
        .where("file_id", "=", fileId)
        .execute();
      await store.delete(fileId);
      await db.deleteFrom("stray_file").where("file_id", "=", fileId).where("due_at", "=", "").execute();
    },

    read: async (owner, attachmentId, range) => {
      const row = await attachmentsOf(db, owner)
        .select(["attachment_id", "size", "store"])
        .where("attachment_id", "=", attachmentId)
        .executeTakeFirst();
      return row && readFile(row, range);
    },

    sweep: async (at) => {
      let swept = 0;
      const failures: unknown[] = [];
      for (const one of stores) {
        for (let after = ""; ;) {
          const due = await db
            .selectFrom("stray_file")
            .select("file_id")
            .where("store", "=", one.name)
            .where("due_at", "<=", utcTime(at))
            .where("file_id", ">", after)
            .orderBy("file_id")
            .limit(BATCH)
            .execute();
          for (const { file_id } of due) {
            try {
              await one.delete(file_id);
              await db.deleteFrom("stray_file").where("file_id", "=", file_id).execute();
              swept += 1;
            } catch (error) {
              failures.push(error);
            }
          }
          after = due.at(-1)?.file_id ?? "";
          if (due.length < BATCH) break;
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} files could not be deleted`);
      return swept;
    },
  };
}

export function fileReader(stores: Stores): ReadFile {
  return ({ attachment_id, size, store }, range = { start: 0, end: size }) => {
    const found = stores.find(({ name }) => name === store);
    if (found) return found.read(attachment_id, range);
    throw new StorageUnavailableError(
      `The file ${attachment_id} lies in the store "${store}", for which this server has no setting: give it back.`,
    );
  };
}

/** Bytes of an owner's attachments, and of what is being written for them, but for one file. */
async function bytesOf(transaction: Db, owner: Owner, without: string): Promise<number> {
  const kept = attachmentsOf(transaction, owner).select((select) => select.fn.sum<Sum>("size").as("bytes"));
  const coming = comingTo(transaction, owner.projectId, without).where("visitor_id", "=", owner.visitorId);
  // In one look: a file that becomes an attachment meanwhile is in one of the two, and in one alone.
  const look = transaction.selectNoFrom(() => [kept.as("kept"), coming.as("coming")]);
  return total(await look.executeTakeFirstOrThrow());
}

/** The same of a project. */
async function bytesIn(transaction: Db, projectId: string, without: string): Promise<number> {
  const kept = transaction.selectFrom("project_storage").select("bytes").where("project_id", "=", projectId);
  const coming = comingTo(transaction, projectId, without);
  const look = transaction.selectNoFrom(() => [kept.as("kept"), coming.as("coming")]);
  return total(await look.executeTakeFirstOrThrow());
}

function comingTo(transaction: Db, projectId: string, without: string) {
  return transaction
    .selectFrom("stray_file")
    .select((select) => select.fn.sum<Sum>("size").as("bytes"))
    .where("project_id", "=", projectId)
    .where("file_id", "!=", without);
}

/** Postgres returns large numbers as text; a sum of nothing is `null`. */
type Sum = number | string | null;

function total({ kept, coming }: { readonly kept: Sum; readonly coming: Sum }): number {
  return Number(kept ?? 0) + Number(coming ?? 0);
}
