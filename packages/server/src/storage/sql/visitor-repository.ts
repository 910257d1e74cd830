import type { ExportedThread, Storage } from "../storage.ts";
import { attachmentOfRow } from "./attachment-repository.ts";
import { claimThreads } from "./claim-threads.ts";
import { dropThreads } from "./drop-threads.ts";
import { messagesOf } from "./message-repository.ts";
import type { RunSignals } from "./run-signals.ts";
import type { AttachmentTable, ThreadTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { storedThreadOfRow } from "./thread-repository.ts";
import { utcDay, utcTime } from "./utc-time.ts";

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

    purge: async ({ projectId, visitorId }) => {
      const dropped = await dropThreads(db, dialect, signals, (transaction, limit) => {
        const ofVisitor = transaction
          .selectFrom("thread")
          .select("thread_id")
          .where("project_id", "=", projectId)
          .where("visitor_id", "=", visitorId)
          .orderBy("thread_id")
          .limit(limit);
        return (dialect.concurrent ? ofVisitor.forUpdate() : ofVisitor).execute();
      });
      // After the threads: what is still counted for one of them is counted before it goes.
      const forgetting = db
        .deleteFrom("visitor_usage")
        .where("project_id", "=", projectId)
        .where("visitor_id", "=", visitorId)
        .execute();
      await dialect.durable(forgetting);
      if (dropped > 0) await dialect.reclaim("text");
      return dropped;
    },

    claim: (from, visitorId) => claimThreads(db, dialect, from, visitorId),

    expire: async (projectId, before) => {
      await db
        .deleteFrom("visitor_usage")
        .where("project_id", "=", projectId)
        .where("day", "<", utcDay(before))
        .execute();
      return dropThreads(db, dialect, signals, (transaction, limit) =>
        lockIdle(dialect, idleThreads(transaction, projectId).where("updated_at", "<", utcTime(before)).limit(limit)),
      );
    },

    expireArchived: (projectId, before) =>
      dropThreads(db, dialect, signals, (transaction, limit) =>
        lockIdle(dialect, idleThreads(transaction, projectId).where("archived_at", "<", utcTime(before)).limit(limit)),
      ),

    projects: async () => {
      const projectIds: string[] = [];
      // A look into the index for each project; a `distinct` would read every thread.
      for (;;) {
        const next = await db
          .selectFrom("thread")
          .select("project_id")
          .where("project_id", ">", projectIds.at(-1) ?? "")
          .orderBy("project_id")
          .limit(1)
          .executeTakeFirst();
        if (!next) return projectIds;
        projectIds.push(next.project_id);
      }
    },
  };
}

/** A project's threads, archived ones too, in which nothing runs. */
function idleThreads(transaction: Db, projectId: string) {
  return transaction
    .selectFrom("thread")
    .select("thread_id")
    .where("project_id", "=", projectId)
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
    );
}

/** Threads that another transaction holds are in use, or being dropped by another instance: they are passed over. */
function lockIdle(dialect: SqlDialect, threads: ReturnType<typeof idleThreads>) {
  return (dialect.concurrent ? threads.forUpdate().skipLocked() : threads).execute();
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
