import { sql } from "kysely";
import type { FileStore } from "../../files/file-store.ts";
import { StorageUnavailableError } from "../../storage.ts";
import type { Owner } from "../../storage.ts";
import type { StrayFileTable } from "../schema.ts";
import { lockFreeRows } from "../rows/lock-rows.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcTime } from "../utc-time.ts";

/** The number of files that are claimed at a time, and how many of them are deleted concurrently. */
const CLAIMED = 100;
const AT_ONCE = 8;

/** Milliseconds after which a claimed file is due again: its process may have died, or its store may have refused. */
const CLAIM_MS = 600_000;

/**
 * Deletes the files that are due at `at`, part by part. Each file is claimed first, so that only one instance deletes
 * it. A file that cannot be deleted does not stop the others.
 *
 * @throws at the end, when some files could not be deleted
 */
export async function* sweepFiles(
  db: Db,
  dialect: SqlDialect,
  stores: readonly FileStore[],
  at: string,
): AsyncGenerator<number> {
  const failed: unknown[] = [];
  for (const store of stores) {
    for (;;) {
      const claimed = await claimFiles(db, dialect, store, at);
      if (claimed.length === 0) break;
      const { deleted, failures } = await deleteFiles(db, [store], claimed);
      failed.push(...failures);
      // The store is unavailable: claiming the rest would be in vain.
      if (deleted === 0) break;
      yield deleted;
    }
  }
  if (failed.length > 0) throw notDeleted(failed);
}

/**
 * Deletes an owner's dropped files, also those that a sweep has claimed. Returns how many.
 *
 * @throws {StorageUnavailableError} when a file could not be deleted; a sweep or another call tries it again
 */
export async function deleteFilesOf(db: Db, stores: readonly FileStore[], owner: Owner): Promise<number> {
  const failed: unknown[] = [];
  let sum = 0;
  for (let after = ""; ;) {
    const dropped = await db
      .selectFrom("stray_file")
      .select(["file_id", "store"])
      .where("project_id", "=", owner.projectId)
      .where("visitor_id", "=", owner.visitorId)
      .where("dropped", "=", 1)
      .where("file_id", ">", after)
      .orderBy("file_id")
      .limit(CLAIMED)
      .execute();
    const { deleted, failures } = await deleteFiles(db, stores, dropped);
    sum += deleted;
    failed.push(...failures);
    after = dropped.at(-1)?.file_id ?? "";
    if (dropped.length < CLAIMED) break;
  }
  if (failed.length > 0) throw notDeleted(failed);
  return sum;
}

type StrayFile = Pick<StrayFileTable, "file_id" | "store">;

/** Claims due files: postpones their next due time, and drops the room of those that were never finished. */
async function claimFiles(db: Db, dialect: SqlDialect, { name }: FileStore, at: string): Promise<readonly StrayFile[]> {
  const due = db
    .selectFrom("stray_file")
    .select(sql`${dialect.rowName}`.as("name"))
    .where("store", "=", name)
    .where("due_at", "<=", utcTime(at))
    .orderBy("due_at")
    .orderBy("file_id")
    .limit(CLAIMED);
  return await db
    .updateTable("stray_file")
    .set({ due_at: new Date(Date.parse(at) + CLAIM_MS).toISOString(), dropped: 1, size: 0 })
    .where(dialect.isRowOf(sql`${lockFreeRows(dialect, due)}`))
    .returning(["file_id", "store"])
    .execute();
}

/**
 * Deletes the bytes before the rows: if the process dies in between, the files are deleted again, which does no harm.
 */
async function deleteFiles(
  db: Db,
  stores: readonly FileStore[],
  files: readonly StrayFile[],
): Promise<{ readonly deleted: number; readonly failures: readonly unknown[] }> {
  const deleted: string[] = [];
  const failures: unknown[] = [];
  const left = files.values();
  const worker = async () => {
    for (const { file_id, store: name } of left) {
      try {
        const store = stores.find((each) => each.name === name);
        if (!store)
          throw new Error(
            `The file ${file_id} is in the store "${name}", for which this server has no setting: restore that setting.`,
          );
        await store.delete(file_id);
        deleted.push(file_id);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (deleted.length > 0) await db.deleteFrom("stray_file").where("file_id", "in", deleted).execute();
  return { deleted: deleted.length, failures };
}

function notDeleted(failures: readonly unknown[]): StorageUnavailableError {
  return new StorageUnavailableError(`${failures.length} files could not be deleted. The first error was this:`, {
    cause: failures[0],
  });
}
