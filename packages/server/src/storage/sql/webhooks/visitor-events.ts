/** The pending webhook events of one visitor. */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { ErasureTelling } from "../../webhooks.ts";
import type { Owner } from "../../storage.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { webhookInserts, webhookRows } from "./webhook-rows.ts";

/**
 * Removes the pending events of a visitor whose threads are dropped, and stores an event for the erasure. Events of
 * threads that began meanwhile stay. A receiver with a call in progress gets the erasure after that call.
 */
export function eraseEvents(
  db: Db,
  dialect: SqlDialect,
): (transaction: Db, owner: Owner, telling: ErasureTelling | undefined) => Promise<void> {
  const insertTold = webhookInserts(db, dialect);
  const [events, threads] = [dialect.table("webhook_event"), dialect.table("thread")];

  return async (transaction, { projectId, visitorId }, telling) => {
    const forgotten = sql`
      event.project_id = ${projectId} and event.visitor_id = ${visitorId} and event.type <> 'visitor.erased'
      and not exists (select 1 from ${threads} as kept where kept.thread_id = event.thread_id)`;
    await lockEvents(transaction, dialect, forgotten);
    const { rows } = await sql<{ readonly url: string; readonly claimed_by: string | null }>`
      delete from ${events} as event where ${forgotten} returning url, claimed_by`.execute(transaction);
    if (!telling) return;
    const told = webhookRows({ type: "visitor.erased", projectId, visitorId }, telling);
    for (const statement of insertTold(told)) await transaction.executeQuery(statement);
    const called = new Set(rows.flatMap(({ url, claimed_by }) => (claimed_by === null ? [] : [url])));
    if (called.size === 0) return;
    await sql`
      update ${events} set due_ms = ${dialect.nowMs} + ${sql.lit(Math.round(telling.callMs))}
      where project_id = ${projectId} and visitor_id = ${visitorId} and type = 'visitor.erased'
        and url in (${sql.join([...called])})`.execute(transaction);
  };
}

/** Assigns the events of threads to their new visitor, whose erasure will then remove them. */
export async function moveEvents(
  transaction: Db,
  dialect: SqlDialect,
  threadIds: RawBuilder<string>,
  visitorId: string,
): Promise<void> {
  const moved = sql`event.thread_id in ${threadIds}`;
  await lockEvents(transaction, dialect, moved);
  const events = dialect.table("webhook_event");
  await sql`update ${events} as event set visitor_id = ${visitorId} where ${moved}`.execute(transaction);
}

/** Locks events in the order of their positions, as the sender does. */
async function lockEvents(transaction: Db, dialect: SqlDialect, condition: RawBuilder<unknown>): Promise<void> {
  if (!dialect.concurrent) return;
  const events = dialect.table("webhook_event");
  await sql`select 1 from ${events} as event where ${condition} order by event.position for update`.execute(
    transaction,
  );
}
