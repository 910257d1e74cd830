import type { Selectable } from "kysely";
import type { Owner } from "../storage.ts";
import type { RunTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/** How many runs of an owner go on. */
export async function countRunning(db: Db, owner: Owner): Promise<number> {
  const { running } = await runningOf(db, owner).executeTakeFirstOrThrow();
  return Number(running);
}

/** The number of an owner's runs that go on, as a query. Postgres returns it as text. */
export function runningOf(db: Db, owner: Owner) {
  return db
    .selectFrom("run")
    .select((select) => select.fn.countAll<number | string>().as("running"))
    .where("project_id", "=", owner.projectId)
    .where("visitor_id", "=", owner.visitorId)
    .where("status", "=", "running");
}

/** The run that goes on in a thread. */
export function findRunning(db: Db, threadId: string): Promise<Selectable<RunTable> | undefined> {
  return db
    .selectFrom("run")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where("status", "=", "running")
    .executeTakeFirst();
}

/**
 * A run that goes on, held until the transaction's end. Its thread is locked first, as everywhere: one that held the
 * run and waited for the thread would wait for ever for one that holds the thread and waits for the run.
 */
export async function lockRunning(
  transaction: Db,
  dialect: SqlDialect,
  runId: string,
): Promise<Selectable<RunTable> | undefined> {
  const running = transaction.selectFrom("run").where("run_id", "=", runId).where("status", "=", "running");
  if (dialect.concurrent) {
    await transaction
      .selectFrom("thread")
      .select("thread_id")
      .where("thread_id", "in", running.select("thread_id"))
      .forUpdate()
      .execute();
  }
  return await running.selectAll().executeTakeFirst();
}
