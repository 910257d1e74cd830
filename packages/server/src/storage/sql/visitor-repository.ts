import type { ExportedThread, Storage } from "../storage.ts";
import { attachmentOfRow } from "./attachment-repository.ts";
import { messagesOf } from "./message-repository.ts";
import type { RunSignals } from "./run-signals.ts";
import type { AttachmentTable, ThreadTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { storedThreadOfRow } from "./thread-repository.ts";
import { utcTime } from "./utc-time.ts";

/** How many threads are dropped at once: others come in between. */
const BATCH = 100;

export function visitorRepository(db: Db, dialect: SqlDialect, signals: RunSignals): Storage["visitors"] {
  return {
    export: async ({ projectId, visitorId }) => {
      const rows = await db
        .selectFrom("thread")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("visitor_id", "=", visitorId)
        .orderBy("created_at")
        .orderBy("thread_id")
        .execute();
      const threads: ExportedThread[] = [];
      for (const row of rows) threads.push(await exportThread(db, row));
      return { projectId, visitorId, threads };
    },

    purge: ({ projectId, visitorId }) =>
      dropInBatches(db, dialect, signals, (transaction) =>
        transaction
          .selectFrom("thread")
          .select("thread_id")
          .where("project_id", "=", projectId)
          .where("visitor_id", "=", visitorId)
          .limit(BATCH)
          .execute(),
      ),

    expire: (projectId, before) =>
      dropInBatches(db, dialect, signals, (transaction) =>
        transaction
          .selectFrom("thread")
          .select("thread_id")
          .where("project_id", "=", projectId)
          .where("updated_at", "<", utcTime(before))
          .where((is) =>
            is.not(
              is.exists(
                is
                  .selectFrom("run")
                  .select("run_id")
                  .whereRef("run.thread_id", "=", "thread.thread_id")
                  .where("status", "=", "running"),
              ),
            ),
          )
          .limit(BATCH)
          .execute(),
      ),
  };
}

async function exportThread(db: Db, row: ThreadTable): Promise<ExportedThread> {
  const attachments = await db
    .selectFrom("attachment")
    .selectAll()
    .where("thread_id", "=", row.thread_id)
    .orderBy("created_at")
    .orderBy("attachment_id")
    .execute();
  return {
    ...storedThreadOfRow(row),
    ...(row.archived_at !== null && { archivedAt: row.archived_at }),
    messages: await messagesOf(db, row.thread_id),
    attachments: attachments.map(exportAttachment),
  };
}

function exportAttachment(row: AttachmentTable): ExportedThread["attachments"][number] {
  return {
    ...attachmentOfRow(row),
    createdAt: row.created_at,
    data: Buffer.from(row.bytes).toString("base64"),
  };
}

/** Drops threads and all that is theirs, as long as `find` finds any. Returns how many. */
async function dropInBatches(
  db: Db,
  dialect: SqlDialect,
  signals: RunSignals,
  find: (transaction: Db) => Promise<readonly { readonly thread_id: string }[]>,
): Promise<number> {
  let dropped = 0;
  for (;;) {
    const dropping = db.transaction().execute(async (transaction) => {
      const found = await find(transaction);
      return {
        threads: found.length,
        running: await drop(
          transaction,
          found.map(({ thread_id }) => thread_id),
        ),
      };
    });
    const { threads, running } = await dialect.durable(dropping);
    dropped += threads;
    if (running.length > 0) await signals.tell("cancel", running);
    if (threads < BATCH) return dropped;
    await new Promise(setImmediate);
  }
}

/** Returns the runs that went on. Messages, runs and attachments go with their threads. */
async function drop(transaction: Db, threadIds: readonly string[]): Promise<string[]> {
  if (threadIds.length === 0) return [];
  const runs = transaction.selectFrom("run").where("thread_id", "in", threadIds);
  const running = await runs.select("run_id").where("status", "=", "running").execute();
  await transaction
    .deleteFrom("run_event")
    .where("slot", "in", runs.select("log_slot"))
    .where("run_id", "in", runs.select("run_id"))
    .execute();
  await transaction.deleteFrom("thread").where("thread_id", "in", threadIds).execute();
  return running.map(({ run_id }) => run_id);
}
