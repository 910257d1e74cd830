import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { WebhookEvent, WebhookStorage } from "../../webhooks.ts";
import type { WebhookEventTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** The number of events that one statement removes. */
const EXPIRED_AT_ONCE = 1_000;

/** No write here is `durable`: an event whose removal is lost in a power failure is sent again with the same id. */
export function webhookRepository(db: Db, dialect: SqlDialect): WebhookStorage {
  const events = dialect.table("webhook_event");
  const instances = dialect.table("instance");
  const skipLocked = dialect.concurrent ? sql`for update skip locked` : sql``;

  return {
    claim: async ({ projectId, url, instanceId, limit, held, staleMs }) => {
      const others = held.length === 0 ? sql`` : sql`and event.position not in (${sql.join(held)})`;
      const claiming = sql<Selectable<WebhookEventTable> & { readonly age_ms: number | string }>`
        update ${events} set claimed_by = ${instanceId} where position in (
          select event.position from ${events} as event
          where event.project_id = ${projectId} and event.url = ${url} and event.due_ms <= ${dialect.nowMs} ${others}
            and (event.claimed_by is null or event.claimed_by = ${instanceId} or not exists (
              select 1 from ${instances} as owner
              where owner.instance_id = event.claimed_by and owner.seen_ms > ${dialect.nowMs} - ${sql.lit(staleMs)}
            ))
            and not exists (
              select 1 from ${events} as earlier
              where earlier.project_id = event.project_id and earlier.url = event.url
                and earlier.thread_id = event.thread_id and earlier.position < event.position
            )
          order by event.due_ms, event.position limit ${sql.lit(limit)} ${skipLocked}
        ) returning *, ${dialect.nowMs} - stored_ms as age_ms`.execute(db);
      const { rows } = await claiming;
      return rows.map(eventOfRow).toSorted((one, other) => one.position - other.position);
    },

    remove: async (position) => {
      await db.deleteFrom("webhook_event").where("position", "=", position).execute();
    },

    postpone: async ({ position, projectId, url, threadId = null }, ms) => {
      await sql`
        update ${events} set due_ms = ${dialect.nowMs} + ${sql.lit(Math.round(ms))},
          attempts = case when position = ${position} then attempts + 1 else attempts end,
          claimed_by = case when position = ${position} then null else claimed_by end
        where position = ${position} or (
          project_id = ${projectId} and url = ${url} and thread_id = ${threadId} and position > ${position}
        )`.execute(db);
    },

    release: async (instanceId) => {
      await db.updateTable("webhook_event").set({ claimed_by: null }).where("claimed_by", "=", instanceId).execute();
    },

    giveUp: async (ageMs) => {
      const expiring = sql<Pick<WebhookEventTable, "project_id" | "url" | "type">>`
        delete from ${events} where position in (
          select position from ${events} where stored_ms <= ${dialect.nowMs} - ${sql.lit(ageMs)}
          limit ${sql.lit(EXPIRED_AT_ONCE)} ${skipLocked}
        ) returning project_id, url, type`.execute(db);
      const { rows } = await expiring;
      const day = new Date(Date.now() - ageMs).toISOString().slice(0, 10);
      await db.deleteFrom("spent_budget").where("day", "<", day).execute();
      return rows.map(({ project_id, url, type }) => ({ projectId: project_id, url, type }));
    },
  };
}

function eventOfRow(row: Selectable<WebhookEventTable> & { readonly age_ms: number | string }): WebhookEvent {
  return {
    position: Number(row.position),
    id: row.id,
    type: row.type,
    at: row.at,
    projectId: row.project_id,
    url: row.url,
    ...(row.visitor_id !== null && { visitorId: row.visitor_id }),
    ...(row.thread_id !== null && { threadId: row.thread_id }),
    ...(row.message_id !== null && { messageId: row.message_id }),
    ...(row.tool_call_id !== null && { toolCallId: row.tool_call_id }),
    fields: JSON.parse(row.fields) as WebhookEvent["fields"],
    texts: row.texts === null ? {} : (JSON.parse(row.texts) as WebhookEvent["texts"]),
    attempts: row.attempts,
    ageMs: Number(row.age_ms),
  };
}
