import { sql } from "kysely";
import type { Owner } from "../storage.ts";
import { moveUsage } from "./add-usage.ts";
import { lockOwner } from "./lock-owner.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/** `Storage["visitors"]["claim"]`. */
export async function claimThreads(db: Db, dialect: SqlDialect, from: Owner, visitorId: string): Promise<number> {
  if (from.visitorId === visitorId) return 0;
  const claiming = db.transaction().execute(async (transaction) => {
    // In one order, so that two claims cannot deadlock.
    for (const each of [from.visitorId, visitorId].toSorted()) {
      await lockOwner(dialect, { ...from, visitorId: each })?.execute(transaction);
    }
    const ofOwner = transaction
      .selectFrom("thread")
      .select(["thread_id", "archived_at"])
      .where("project_id", "=", from.projectId)
      .where("visitor_id", "=", from.visitorId)
      .orderBy("thread_id");
    // A run that begins locks its thread: it either commits before this lock, or waits and then finds no such thread.
    const threads = await (dialect.concurrent ? ofOwner.forUpdate() : ofOwner).execute();
    const threadIds = JSON.stringify(threads.map(({ thread_id }) => [thread_id]));
    const isClaimed = sql<string>`(select ${dialect.element(0, "text")} from ${dialect.items(threadIds)})`;
    for (const table of ["thread", "run", "attachment"] as const) {
      await transaction.updateTable(table).set({ visitor_id: visitorId }).where("thread_id", "in", isClaimed).execute();
    }
    await transaction
      .updateTable("stray_file")
      .set({ visitor_id: visitorId })
      .where("project_id", "=", from.projectId)
      .where("visitor_id", "=", from.visitorId)
      .execute();
    await moveUsage(transaction, dialect, from, visitorId);
    return threads.filter(({ archived_at }) => archived_at === null).length;
  });
  return dialect.durable(claiming);
}
