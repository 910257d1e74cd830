/** Two ways to drop event logs: row by row (SQLite), or a slot at a time (Postgres). See decision 14. */
import { sql } from "kysely";
import { StorageUnavailableError } from "../../storage.ts";
import { inParts } from "../in-parts.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** The milliseconds that emptying a slot waits for its lock. Readers of the slot wait behind it. */
const EMPTYING_WAIT_MS = 200;

/** Deletes the logs of runs that ended `keptMs` ago or earlier. `logged` is 1 on runs that still have a log. */
export function deleteLogs(db: Db, dialect: SqlDialect, keptMs: number): AsyncGenerator<number> {
  return inParts(db, dialect, { first: 20, most: 200 }, async (transaction, size) => {
    const rows = await transaction
      .selectFrom("run")
      .select("run_id")
      .where("logged", "=", 1)
      .where("ended_ms", "<=", sql<number>`${dialect.nowMs} - ${keptMs}`)
      .limit(size)
      .execute();
    const runIds = rows.map(({ run_id }) => run_id);
    if (runIds.length === 0) return 0;
    await transaction.deleteFrom("run_event").where("slot", "=", 0).where("run_id", "in", runIds).execute();
    await transaction.updateTable("run").set({ logged: 0 }).where("run_id", "in", runIds).execute();
    return runIds.length;
  });
}

/**
 * Empties the slots whose runs have all ended `keptMs` ago or earlier. Leaves the current slot, the next slot and
 * locked slots for a later call.
 */
export async function* emptySlots(db: Db, dialect: SqlDialect, keptMs: number): AsyncGenerator<number> {
  const { rows } = await sql<{ slot: number }>`
    select distinct log_slot as slot from ${dialect.table("run")}
    where status = 'running' or ended_ms > ${dialect.nowMs} - ${sql.lit(keptMs)}
    union select ${dialect.logSlot}
    union select (${dialect.logSlot} + 1) % ${sql.lit(dialect.logSlots)}
  `.execute(db);
  const used = new Set(rows.map(({ slot }) => slot));
  for (let slot = 0; slot < dialect.logSlots; slot += 1) {
    if (!used.has(slot) && (await emptySlot(db, dialect, slot))) yield 1;
  }
}

/** Returns whether the slot had any events. */
async function emptySlot(db: Db, dialect: SqlDialect, slot: number): Promise<boolean> {
  const first = await db.selectFrom("run_event").select("seq").where("slot", "=", slot).limit(1).executeTakeFirst();
  if (!first) return false;
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(EMPTYING_WAIT_MS)}`.execute(transaction);
      await sql`truncate ${dialect.logTable(slot)}`.execute(transaction);
    });
    return true;
  } catch (error) {
    if (!(error instanceof StorageUnavailableError)) throw error;
    return false;
  }
}
