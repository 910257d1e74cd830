/** The rows of webhook events, and the statement that stores them in the transaction that they report. */
import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { cleanJson } from "../../../clean-text.ts";
import type { UsedTokens } from "../../usage.ts";
import type { RunTelling, Telling, WebhookNotice, WebhookType } from "../../webhooks.ts";
import { compileOnce } from "../compile-once.ts";
import { jsonTable } from "../rows/json-table.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcTime } from "../utc-time.ts";

/** The thing that an event is about. */
interface Subject {
  readonly type: WebhookType;
  readonly projectId: string;
  readonly visitorId?: string;
  readonly threadId?: string;
  readonly messageId?: string;
  readonly toolCallId?: string;
}

const columns = {
  project_id: "text",
  url: "text",
  type: "text",
  at: "text",
  visitor_id: "text",
  thread_id: "text",
  message_id: "text",
  tool_call_id: "text",
  fields: "text",
  texts: "text",
} as const;

export type NewWebhookRow = Readonly<Record<keyof typeof columns, string | null>>;

export function webhookRows(subject: Subject, { at, notices }: Telling): readonly NewWebhookRow[] {
  return notices.map((notice) => ({
    project_id: subject.projectId,
    type: subject.type,
    at: utcTime(at),
    visitor_id: subject.visitorId ?? null,
    thread_id: subject.threadId ?? null,
    message_id: subject.messageId ?? null,
    tool_call_id: subject.toolCallId ?? null,
    ...contentOf(notice),
  }));
}

function contentOf({ url, fields = {}, texts }: WebhookNotice) {
  return { url, fields: cleanJson(fields), texts: texts === undefined ? null : cleanJson(texts) };
}

/** The content of the events that report a run's end to the webhooks of its project. */
export function endedNotices(
  { ended, question }: RunTelling,
  answer: Message,
  used: readonly UsedTokens[] = [],
): readonly ReturnType<typeof contentOf>[] {
  const usage = {
    inputTokens: used.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: used.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
  const fields = { status: answer.status, usage };
  return ended.map(({ url, texts }) =>
    contentOf({ url, fields, ...(texts && { texts: { question, answer: textOf(answer) } }) }),
  );
}

/** Makes the statement that stores rows; none for an empty list. */
export function webhookInserts(db: Db, dialect: SqlDialect): (rows: readonly NewWebhookRow[]) => CompiledQuery[] {
  const table = jsonTable(dialect, columns);
  const insert = compileOnce((json: string) => {
    const values = Object.fromEntries(Object.keys(columns).map((name, index) => [name, table.columns[index]]));
    return insertWebhookEvents(
      dialect,
      values as Record<keyof typeof columns, RawBuilder<unknown>>,
      dialect.jsonRows(json),
    ).compile(db);
  });
  return (rows) => (rows.length === 0 ? [] : [insert(table.json(rows))]);
}

/**
 * The insert of events, one for each row of `from`. When an earlier event of the thread is postponed, the new one is
 * postponed to the same time, since it cannot be sent before it.
 */
export function insertWebhookEvents(
  { table, nowMs }: SqlDialect,
  values: Readonly<Record<keyof typeof columns, RawBuilder<unknown>>>,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const events = table("webhook_event");
  return sql`
    insert into ${events} (${sql.join(names.map((name) => sql.id(name)))}, stored_ms, due_ms)
    select ${sql.join(names.map((name) => values[name]))}, ${nowMs}, coalesce((
      select max(before.due_ms) from ${events} as before where before.project_id = ${values.project_id}
        and before.url = ${values.url} and before.thread_id = ${values.thread_id}
    ), ${nowMs})
    from ${from}`;
}
