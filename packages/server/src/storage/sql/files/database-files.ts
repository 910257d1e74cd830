import type { FileStore } from "../../files/file-store.ts";
import { FileLostError } from "../../storage.ts";
import { inChunks } from "../../files/in-chunks.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { createEventLoopTurns } from "../../../event-loop-turns.ts";

/** The size of a row, in bytes: the most that is read, written or held in memory at one time. */
const CHUNK_BYTES = 262_144;

/** The number of chunks that one statement deletes on SQLite. */
const DELETED_AT_ONCE = 4;

/** Files as rows of the database: no other store is needed, and one backup contains everything. */
export function createDatabaseFiles(db: Db, { concurrent }: Pick<SqlDialect, "concurrent">): FileStore {
  // A SQLite query blocks the event loop. Many readers take turns, so that other work runs in between.
  const turns = concurrent ? undefined : createEventLoopTurns();

  return {
    name: "database",
    heldBytes: CHUNK_BYTES,

    async write(fileId, pieces) {
      let position = 0;
      for await (const bytes of inChunks(pieces, CHUNK_BYTES)) {
        await db.insertInto("file_chunk").values({ file_id: fileId, position, bytes }).execute();
        position += 1;
      }
    },

    async *read(fileId, { start, end }) {
      for (let at = start; at < end;) {
        await turns?.next();
        const position = Math.floor(at / CHUNK_BYTES);
        const row = await db
          .selectFrom("file_chunk")
          .select("bytes")
          .where("file_id", "=", fileId)
          .where("position", "=", position)
          .executeTakeFirst();
        if (!row) throw new FileLostError(`The file ${fileId} has no chunk ${position} in the database.`);
        const from = at - position * CHUNK_BYTES;
        const bytes = row.bytes.subarray(from, from + end - at);
        if (bytes.length === 0) throw new FileLostError(`The file ${fileId} ends before byte ${end} in the database.`);
        yield bytes;
        at += bytes.length;
      }
    },

    async delete(fileId) {
      const chunks = db.deleteFrom("file_chunk").where("file_id", "=", fileId);
      // SQLite overwrites deleted data: deleting a large file at once would block the event loop.
      for (let deleted = concurrent ? 0n : 1n; deleted > 0n;) {
        await turns?.next();
        const some = db
          .selectFrom("file_chunk")
          .select("position")
          .where("file_id", "=", fileId)
          .limit(DELETED_AT_ONCE);
        deleted = (await chunks.where("position", "in", some).executeTakeFirst()).numDeletedRows;
      }
      await chunks.execute();
    },
  };
}
