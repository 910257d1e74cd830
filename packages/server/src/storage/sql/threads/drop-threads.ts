import { inParts } from "../in-parts.ts";
import type { RunSignals } from "../signals/run-signals.ts";
import { idsIn, idsJson } from "../rows/json-table.ts";
import { lockRows } from "../rows/lock-rows.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** The number of threads that one transaction drops. Other queries run in between. */
const SIZE = { first: 20, most: 200 };

/** A thread to drop, with its place in the search order. */
export interface FoundThread {
  readonly thread_id: string;
  readonly place: string;
}

export interface DropThreadsOptions {
  /**
   * Finds at most `limit` threads after `after`, ordered by place and id, and locks them until the end of the
   * transaction.
   */
  readonly find: (transaction: Db, limit: number, after: FoundThread | undefined) => Promise<readonly FoundThread[]>;
  /** See `inParts`. */
  readonly lock?: string;
}

/**
 * Drops threads and everything in them, part by part, until `find` finds none. Running runs get a `cancel`. A thread
 * that cannot be dropped is skipped, so that the threads after it are still dropped.
 */
export async function* dropThreads(
  db: Db,
  dialect: SqlDialect,
  signals: RunSignals,
  { find, lock }: DropThreadsOptions,
): AsyncGenerator<number> {
  // A dropped thread may stay in the index for hours while a backup is reading. `after` keeps later parts from reading
  // it again.
  let after: FoundThread | undefined;
  let last: FoundThread | undefined;
  let running: readonly string[] = [];
  const skip = () => {
    if (last === after) return false;
    after = last;
    return true;
  };
  const parts = inParts(
    db,
    dialect,
    { ...SIZE, ...(lock !== undefined && { lock }), skip },
    async (transaction, size) => {
      last = after;
      const found = await find(transaction, size, after);
      last = found.at(-1) ?? after;
      running = await drop(
        transaction,
        dialect,
        found.map(({ thread_id }) => thread_id),
      );
      return found.length;
    },
  );
  for await (const count of parts) {
    after = last;
    if (running.length > 0) await signals.sendToAll("cancel", running);
    yield count;
  }
}

/** Returns the running runs. The foreign keys delete messages, runs and attachments with their threads. */
async function drop(transaction: Db, dialect: SqlDialect, threadIds: readonly string[]): Promise<string[]> {
  if (threadIds.length === 0) return [];
  // Every transaction locks in this order: threads, runs, logs.
  const ofThreads = transaction
    .selectFrom("run")
    .select(["run_id", "status", "log_slot"])
    .where("thread_id", "in", threadIds)
    .orderBy("run_id");
  // The lock waits for appends to these runs, so their events are deleted too. A later append waits for this
  // transaction, and then finds no run.
  const runs = await lockRows(dialect, ofThreads).execute();
  await transaction.deleteFrom("thread").where("thread_id", "in", threadIds).execute();
  // Pending webhook events of the thread are still sent, but without texts.
  await transaction
    .updateTable("webhook_event")
    .set({ texts: null })
    .where("thread_id", "in", threadIds)
    .where("texts", "is not", null)
    .execute();
  if (runs.length === 0) return [];
  const runIds = idsJson(runs.map(({ run_id }) => run_id));
  await transaction
    .deleteFrom("run_event")
    .where("slot", "in", [...new Set(runs.map(({ log_slot }) => log_slot))])
    .where("run_id", "in", idsIn(dialect, runIds))
    .execute();
  return runs.flatMap(({ run_id, status }) => (status === "running" ? [run_id] : []));
}
