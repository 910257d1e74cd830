import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Owner } from "../../storage.ts";
import type { RunTable } from "../schema.ts";
import type { Db } from "../sql-dialect.ts";

/**
 * The status of running runs, as a literal. Postgres' partial indexes of running runs cannot serve a prepared statement
 * that gets the status as a parameter.
 */
export const RUNNING = sql.lit("running" as const);

/** The number of an owner's running runs. */
export async function countRunning(db: Db, owner: Owner): Promise<number> {
  const { running } = await runningOf(db, owner).executeTakeFirstOrThrow();
  return Number(running);
}

/** The query of `countRunning`. Postgres returns the number as text. */
export function runningOf(db: Db, owner: Owner) {
  return db
    .selectFrom("run")
    .select((select) => select.fn.countAll<number | string>().as("running"))
    .where("project_id", "=", owner.projectId)
    .where("visitor_id", "=", owner.visitorId)
    .where("status", "=", RUNNING);
}

/** The running run of a thread. */
export function findRunning(db: Db, threadId: string): Promise<Selectable<RunTable> | undefined> {
  return db
    .selectFrom("run")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where("status", "=", RUNNING)
    .executeTakeFirst();
}
