import { sql } from "kysely";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import type { Migration } from "./migration.ts";

/**
 * Event logs in slots that are emptied as a whole, and times of runs and heartbeats by the database's clock. The logs of
 * runs that are over are dropped by this migration: only readers that were behind need them.
 */
export const logSlots: Migration = {
  name: "log slots",
  up: async (transaction, dialect) => {
    const key = sql.raw(dialect.keyType);
    const statements = [
      sql`drop index run_with_log`,
      sql`alter table run add column log_slot integer not null default 0`,
      // Milliseconds; null for runs from before this migration.
      sql`alter table run add column begun_ms bigint`,
      sql`alter table run add column ended_ms bigint`,
      sql`create index run_of_instance on run (instance_id) where status = 'running'`,
      sql`update run set begun_ms = ${dialect.nowMs} where status = 'running'`,

      sql`drop table instance`,
      sql`create table instance (instance_id ${key} not null primary key, seen_ms bigint not null)`,

      sql`alter table run_event rename to run_event_before`,
      // The slot comes first in the key: a query for one slot reads no other partition.
      sql`create table run_event (
        slot integer not null,
        run_id ${key} not null,
        seq integer not null,
        last_seq integer not null,
        data text not null,
        ${dialect.logSlots === 1 ? sql`` : sql`constraint run_event_key`} primary key (slot, run_id, seq)
      )${dialect.logSlots === 1 ? sql`` : sql` partition by list (slot)`}`,
    ];
    for (const statement of statements) await statement.execute(transaction);
    await (dialect.logSlots === 1 ? prepareMarks(transaction) : prepareSlots(transaction, dialect));
    await sql`
      insert into run_event (slot, run_id, seq, last_seq, data)
      select 0, run_id, seq, last_seq, data from run_event_before
      where run_id in (select run_id from run where status = 'running')
    `.execute(transaction);
    await sql`drop table run_event_before`.execute(transaction);
  },
};

/** With a single slot, `logged` marks the runs that have a log. */
async function prepareMarks(transaction: Db): Promise<void> {
  await sql`update run set logged = 0 where status <> 'running' and logged = 1`.execute(transaction);
  await sql`create index run_with_log on run (ended_ms) where logged = 1`.execute(transaction);
}

/** With several slots, each is a table that is truncated. */
async function prepareSlots(transaction: Db, { logSlots }: SqlDialect): Promise<void> {
  for (let slot = 0; slot < logSlots; slot += 1) {
    const values = sql.lit(slot);
    await sql`create table ${sql.id(`run_event_${slot}`)} partition of run_event for values in (${values})`.execute(
      transaction,
    );
  }
  await sql`alter table run drop column logged`.execute(transaction);
  await sql`create index run_ended on run (ended_ms)`.execute(transaction);
}
