/** Two ways to drop event logs: row by row (SQLite), or a slot at a time (Postgres). See decision 14. */
import { sql } from "kysely";
import { StorageUnavailableError } from "../storage.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/** Logs that are deleted in one transaction. Other queries run in between. */
const DELETED_AT_ONCE = 20;

/** Milliseconds that emptying a slot waits for its lock. Readers of the slot wait behind it. */
const EMPTYING_WAIT_MS = 200;

/** Deletes the logs of runs that ended `keptMs` ago or earlier. `logged` is 1 on runs that still have a log. */
export async function deleteLogs(db: Db, { nowMs }: Pick<SqlDialect, "nowMs">, keptMs: number): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom("run")
      .select("run_id")
      .where("logged", "=", 1)
      .where("ended_ms", "<=", sql<number>`${nowMs} - ${keptMs}`)
      .limit(DELETED_AT_ONCE)
      .execute();
    const runIds = rows.map(({ run_id }) => run_id);
    if (runIds.length === 0) return;
    await db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("run_event").where("slot", "=", 0).where("run_id", "in", runIds).execute();
      await transaction.updateTable("run").set({ logged: 0 }).where("run_id", "in", runIds).execute();
    });
    await new Promise(setImmediate);
  }
}

/**
 * Empties the slots whose runs have all ended `keptMs` ago or earlier. The slot of runs that begin now, the slot after it,
 * and slots that are locked are left for a later call.
 */
export async function emptySlots(db: Db, dialect: SqlDialect, keptMs: number): Promise<void> {
  const { rows } = await sql<{ slot: number }>`
    select distinct log_slot as slot from ${dialect.table("run")}
    where status = 'running' or ended_ms > ${dialect.nowMs} - ${sql.lit(keptMs)}
    union select ${dialect.logSlot}
    union select (${dialect.logSlot} + 1) % ${sql.lit(dialect.logSlots)}
  `.execute(db);
  const used = new Set(rows.map(({ slot }) => slot));
  for (let slot = 0; slot < dialect.logSlots; slot += 1) {
    if (!used.has(slot)) await emptySlot(db, dialect, slot);
  }
}

async function emptySlot(db: Db, dialect: SqlDialect, slot: number): Promise<void> {
  const first = await db.selectFrom("run_event").select("seq").where("slot", "=", slot).limit(1).executeTakeFirst();
  if (!first) return;
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(EMPTYING_WAIT_MS)}`.execute(transaction);
      await sql`truncate ${dialect.logTable(slot)}`.execute(transaction);
    });
  } catch (error) {
    if (!(error instanceof StorageUnavailableError)) throw error;
  }
}
