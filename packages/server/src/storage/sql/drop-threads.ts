import { sql } from "kysely";
import type { RunSignals } from "./run-signals.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/** Threads that are dropped in one transaction. Other queries run in between. */
const BATCH = 20;

/**
 * Drops threads and everything in them until `find` finds none. Running runs get a `cancel`.
 *
 * @param find at most `limit` threads, locked until the transaction's end
 * @returns how many threads were dropped
 */
export async function dropThreads(
  db: Db,
  dialect: SqlDialect,
  signals: RunSignals,
  find: (transaction: Db, limit: number) => Promise<readonly { readonly thread_id: string }[]>,
): Promise<number> {
  let dropped = 0;
  for (;;) {
    const dropping = db.transaction().execute(async (transaction) => {
      const found = await find(transaction, BATCH);
      const threadIds = found.map(({ thread_id }) => thread_id);
      return { count: found.length, running: await drop(transaction, dialect, threadIds) };
    });
    const { count, running } = await dialect.durable(dropping);
    dropped += count;
    if (running.length > 0) await signals.sendToAll("cancel", running);
    if (count < BATCH) return dropped;
    await new Promise(setImmediate);
  }
}

/** Returns the running runs. Messages, runs and attachments are deleted with their threads by the foreign keys. */
async function drop(transaction: Db, dialect: SqlDialect, threadIds: readonly string[]): Promise<string[]> {
  if (threadIds.length === 0) return [];
  // Every transaction locks in this order: threads, runs, logs.
  const ofThreads = transaction
    .selectFrom("run")
    .select(["run_id", "status", "log_slot"])
    .where("thread_id", "in", threadIds)
    .orderBy("run_id");
  // The lock waits for appends that found one of the runs: their events are deleted too. A later append waits for this
  // transaction, and then finds no run.
  const runs = await (dialect.concurrent ? ofThreads.forUpdate() : ofThreads).execute();
  await transaction.deleteFrom("thread").where("thread_id", "in", threadIds).execute();
  if (runs.length === 0) return [];
  const runIds = JSON.stringify(runs.map(({ run_id }) => [run_id]));
  await transaction
    .deleteFrom("run_event")
    .where("slot", "in", [...new Set(runs.map(({ log_slot }) => log_slot))])
    .where("run_id", "in", sql<string>`(select ${dialect.element(0, "text")} from ${dialect.items(runIds)})`)
    .execute();
  return runs.flatMap(({ run_id, status }) => (status === "running" ? [run_id] : []));
}
