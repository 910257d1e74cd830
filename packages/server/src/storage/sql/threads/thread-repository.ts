import { sql } from "kysely";
import type { Storage } from "../../storage.ts";
import { cleanText } from "../../../clean-text.ts";
import { compileOnce } from "../compile-once.ts";
import { ownedById, ownedThread, ownedThreads } from "../rows/owned-thread.ts";
import type { SoughtThread } from "../rows/owned-thread.ts";
import { runOfRow } from "../rows/run-row.ts";
import { findRunning } from "../rows/running-runs.ts";
import { storedThreadOfRow, threadColumns, threadOfRow } from "../rows/thread-row.ts";
import type { ThreadTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { inOneTrip } from "../runs/two-trips.ts";
import { utcTime } from "../utc-time.ts";
import { webhookInserts, webhookRows } from "../webhooks/webhook-rows.ts";

type NewThread = Omit<ThreadTable, `searched_${string}` & keyof ThreadTable>;

interface Renaming extends SoughtThread {
  readonly title: string;
}

export function threadRepository(db: Db, dialect: SqlDialect): Storage["threads"] {
  const insert = compileOnce(
    ({ thread_id, project_id, visitor_id, title, titled_by, created_at, updated_at }: NewThread) =>
      db
        .insertInto("thread")
        .values({ thread_id, project_id, visitor_id, title, titled_by, created_at, updated_at })
        .compile(),
  );
  const insertTold = webhookInserts(db, dialect);
  const find = compileOnce(({ owner, threadId }: SoughtThread) =>
    ownedThread(db, owner, threadId).select(threadColumns).compile(),
  );
  const renaming = (by: "visitor" | "model") =>
    compileOnce(({ owner, threadId, title }: Renaming) => {
      const rename = db
        .updateTable("thread")
        .set({ title, titled_by: by, searched_at: null })
        .where(ownedById(owner, threadId));
      if (by === "visitor") return rename.compile();
      return rename.where((is) => is.or([is("titled_by", "is", null), is("titled_by", "=", "model")])).compile();
    });
  const renameByVisitor = renaming("visitor");
  const renameByModel = renaming("model");

  return {
    list: async (owner, { limit, before, at }) => {
      let query = ownedThreads(db, owner).select(["thread_id", "title", "updated_at"]);
      if (before !== undefined) {
        const cursor = await db
          .selectFrom("thread")
          .select("updated_at")
          .where("thread_id", "=", before)
          .where("project_id", "=", owner.projectId)
          .where("visitor_id", "=", owner.visitorId)
          .executeTakeFirst();
        if (!cursor) return [];
        const from = at === undefined ? cursor.updated_at : utcTime(at);
        query = query.where(sql<boolean>`(updated_at, thread_id) < (${from}, ${before})`);
      }
      const rows = await query.orderBy("updated_at", "desc").orderBy("thread_id", "desc").limit(limit).execute();
      return rows.map(threadOfRow);
    },

    count: async (owner) => {
      const { count } = await ownedThreads(db, owner)
        .select((select) => select.fn.countAll<number | string>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    find: async (owner, threadId) => {
      const {
        rows: [row],
      } = await db.executeQuery(find({ owner, threadId }));
      return row && storedThreadOfRow(row);
    },

    create: async (owner, { threadId, title, updatedAt }, telling) => {
      const row: NewThread = {
        thread_id: threadId,
        project_id: owner.projectId,
        visitor_id: owner.visitorId,
        title: title === undefined ? null : cleanText(title),
        titled_by: title === undefined ? null : "visitor",
        head_id: null,
        created_at: utcTime(updatedAt),
        updated_at: utcTime(updatedAt),
        archived_at: null,
      };
      const told = telling ? insertTold(webhookRows({ type: "thread.created", ...owner, threadId }, telling)) : [];
      const creating =
        told.length === 0 ? db.executeQuery(insert(row)) : inOneTrip(db, dialect, [insert(row), ...told]);
      await dialect.durable<unknown>(creating);
    },

    rename: async (owner, threadId, title, by) => {
      const name = by === "model" ? renameByModel : renameByVisitor;
      const renamed = db.executeQuery(name({ owner, threadId, title: cleanText(title) }));
      const { numAffectedRows = 0n } = await dialect.durable(renamed);
      return numAffectedRows > 0n;
    },

    archive: (owner, threadId, at) =>
      dialect.durable(
        db.transaction().execute(async (transaction) => {
          const { numUpdatedRows } = await transaction
            .updateTable("thread")
            .set({ archived_at: utcTime(at), searched_at: null })
            .where(ownedById(owner, threadId))
            .executeTakeFirst();
          if (numUpdatedRows === 0n) return undefined;
          await transaction.deleteFrom("thread_words").where("thread_id", "=", threadId).execute();
          await countFiles(transaction, threadId, 0);
          const running = await findRunning(transaction, threadId);
          return running ? { running: runOfRow(running) } : {};
        }),
      ),

    restore: async ({ projectId, visitorId }, threadId, since) => {
      const restoring = db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("thread")
          .set({ archived_at: null })
          .where("thread_id", "=", threadId)
          .where("project_id", "is not distinct from", projectId)
          .where("visitor_id", "is not distinct from", visitorId)
          .where("archived_at", ">=", utcTime(since))
          .executeTakeFirst();
        if (numUpdatedRows > 0n) await countFiles(transaction, threadId, 1);
      });
      await dialect.durable(restoring);
    },

    setHead: async (owner, threadId, messageId) => {
      const update = db
        .updateTable("thread")
        .set({ head_id: messageId })
        .where(ownedById(owner, threadId))
        .where((is) =>
          is.exists(
            is.selectFrom("message").select("id").where("thread_id", "=", threadId).where("id", "=", messageId),
          ),
        )
        .execute();
      await dialect.durable(update);
    },
  };
}

/**
 * Includes the bytes of a thread's files in the sums, or excludes them: the files of an archived thread do not count
 * until it is restored.
 */
async function countFiles(transaction: Db, threadId: string, counted: 0 | 1): Promise<void> {
  await transaction.updateTable("attachment").set({ counted }).where("thread_id", "=", threadId).execute();
}
