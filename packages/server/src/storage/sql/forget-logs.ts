/** Two ways to drop the logs of runs that are over: row by row, or a whole slot at a time. */
import { sql } from "kysely";
import { StorageUnavailableError } from "../storage.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/** How many logs are deleted at once: other queries run in between. */
const DELETED_AT_ONCE = 20;

/** Milliseconds for which emptying a slot may hold up those who read it. */
const EMPTYING_WAIT_MS = 200;

/** Deletes the logs of runs that ended so many milliseconds ago. */
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
 * Empties the slots all of whose runs ended so many milliseconds ago. One that somebody uses just now is left for the
 * next time; so are the slot in which runs begin now, and the one after it.
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
