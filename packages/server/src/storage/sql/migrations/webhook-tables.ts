import { sql } from "kysely";
import type { Statements } from "./migration.ts";

/**
 * The events that webhooks have not received yet, and the budgets whose exhaustion was reported. No row references a
 * thread: an event is sent even when its thread is gone.
 */
export const webhookTables: Statements = ({ keyType, serialKey, randomId }) => {
  const key = sql.raw(keyType);
  return [
    sql`create table webhook_event (
      position ${sql.raw(serialKey)},
      id text not null default (${sql.raw(randomId)}),
      project_id ${key} not null,
      url ${key} not null,
      type text not null,
      at text not null,
      visitor_id ${key},
      thread_id ${key},
      message_id ${key},
      tool_call_id ${key},
      fields text not null,
      texts text,
      attempts integer not null default 0,
      stored_ms bigint not null,
      due_ms bigint not null,
      claimed_by ${key}
    )`,
    sql`create index webhook_event_due on webhook_event (project_id, url, due_ms, position)`,
    sql`create index webhook_event_order on webhook_event (project_id, url, thread_id, position)`,
    sql`create index webhook_event_age on webhook_event (stored_ms)`,
    sql`create index webhook_event_texts on webhook_event (thread_id) where texts is not null`,
    sql`create table spent_budget (
      project_id ${key} not null,
      visitor_id ${key} not null,
      day ${key} not null,
      primary key (project_id, visitor_id, day)
    )`,
  ];
};
