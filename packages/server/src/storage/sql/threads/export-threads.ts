/** The export of a visitor's threads, including archived ones. */
import type { Message } from "@nitka/protocol";
import type { ExportedAttachment, ExportedRun, ExportedThread, Owner } from "../../storage.ts";
import { attachmentOfRow } from "../files/attachment-repository.ts";
import { exportApprovals } from "../runs/awaited-call-repository.ts";
import type { ReadFile } from "../files/file-repository.ts";
import { messageOfRow } from "../rows/message-row.ts";
import { figuresOfRow, measuredRunColumns, runOfRow } from "../rows/run-row.ts";
import type { Db } from "../sql-dialect.ts";
import { storedThreadOfRow } from "../rows/thread-row.ts";

/** `Storage["visitors"]["export"]`. */
export async function* exportThreads(
  db: Db,
  readFile: ReadFile,
  { projectId, visitorId }: Owner,
): AsyncGenerator<ExportedThread> {
  const rows = await db
    .selectFrom("thread")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("visitor_id", "=", visitorId)
    .orderBy("created_at")
    .orderBy("thread_id")
    .execute();
  for (const row of rows) {
    yield {
      thread: {
        ...storedThreadOfRow(row),
        createdAt: row.created_at,
        ...(row.archived_at !== null && { archivedAt: row.archived_at }),
      },
      messages: exportMessages(db, row.thread_id),
      runs: exportRuns(db, row.thread_id),
      approvals: exportApprovals(db, row.thread_id),
      attachments: exportAttachments(db, readFile, row.thread_id),
    };
  }
}

/** Runs one query per message, since any of them may be large. */
async function* exportMessages(db: Db, threadId: string): AsyncGenerator<Message> {
  for (let position = -1; ;) {
    const row = await db
      .selectFrom("message")
      .selectAll()
      .where("thread_id", "=", threadId)
      .where("position", ">", position)
      .orderBy("position")
      .limit(1)
      .executeTakeFirst();
    if (!row) return;
    yield messageOfRow(row);
    ({ position } = row);
  }
}

async function* exportRuns(db: Db, threadId: string): AsyncGenerator<ExportedRun> {
  const rows = await db
    .selectFrom("run")
    .select(measuredRunColumns)
    .where("thread_id", "=", threadId)
    .orderBy("position")
    .execute();
  for (const row of rows) {
    const { runId: _, threadId: __, instanceId: ___, checkpointSeq: ____, ...run } = runOfRow(row);
    yield { ...run, ...figuresOfRow(row) };
  }
}

async function* exportAttachments(db: Db, readFile: ReadFile, threadId: string): AsyncGenerator<ExportedAttachment> {
  const rows = await db
    .selectFrom("attachment")
    .selectAll()
    .where("thread_id", "=", threadId)
    .orderBy("created_at")
    .orderBy("attachment_id")
    .execute();
  for (const row of rows) {
    yield { attachment: { ...attachmentOfRow(row), createdAt: row.created_at }, pieces: readFile(row) };
  }
}
