import { sql } from "kysely";
import type { Migration, Statements } from "./migration.ts";
import { webhookTables } from "./webhook-tables.ts";

/** The schema of the first version: threads, their messages, runs with their logs, files, and usage. */
export const firstVersion: Migration = {
  name: "first version",
  up: async (transaction, dialect) => {
    const parts = [conversations, words, runs, logs, files, storedBytes, usage, webhookTables];
    for (const statement of parts.flatMap((statements) => statements(dialect))) await statement.execute(transaction);
  },
};

const conversations: Statements = ({ keyType }) => {
  const key = sql.raw(keyType);
  return [
    sql`create table thread (
      thread_id ${key} not null primary key,
      project_id ${key} not null,
      visitor_id ${key} not null,
      title text,
      titled_by text,
      head_id ${key},
      created_at ${key} not null,
      updated_at ${key} not null,
      archived_at ${key},
      searched_at ${key},
      searched_head ${key}
    )`,
    sql`create index thread_list on thread (project_id, visitor_id, updated_at desc, thread_id desc)
      where archived_at is null`,
    sql`create index thread_owner on thread (project_id, visitor_id)`,
    sql`create index thread_age on thread (project_id, updated_at)`,
    sql`create index thread_archived on thread (project_id, archived_at) where archived_at is not null`,

    sql`create table message (
      thread_id ${key} not null references thread on delete cascade,
      id ${key} not null,
      position integer not null,
      parent_id ${key},
      role text not null,
      content text not null,
      attachments text,
      status text,
      reason text,
      error text,
      code text,
      created_at ${key},
      suggestions text,
      rating text,
      rating_reason text,
      primary key (thread_id, id)
    )`,
    sql`create unique index message_order on message (thread_id, position)`,

    sql`create table unanswered (
      id ${key} not null primary key,
      thread_id ${key} not null references thread on delete cascade,
      message_id ${key} not null,
      project_id ${key} not null,
      reason text not null,
      question text not null,
      passages text not null,
      comment text,
      at ${key} not null
    )`,
    sql`create index unanswered_list on unanswered (project_id, at desc, id)`,
    sql`create index unanswered_of_thread on unanswered (thread_id)`,
  ];
};

const words: Statements = ({ keyType, rowKey, wordIndex }) => {
  const key = sql.raw(keyType);
  return [
    sql`create table thread_words (
      ${rowKey === undefined ? sql`` : sql.raw(`${rowKey},`)}
      thread_id ${key} not null unique references thread on delete cascade,
      updated_at ${key} not null,
      position integer not null
    )`,
    ...wordIndex.make,
  ];
};

const runs: Statements = ({ keyType }) => {
  const key = sql.raw(keyType);
  return [
    sql`create table run (
      run_id ${key} not null primary key,
      thread_id ${key} not null references thread on delete cascade,
      project_id ${key} not null,
      visitor_id ${key} not null,
      question_id ${key} not null,
      answer_id ${key} not null,
      instance_id ${key} not null,
      model_id ${key},
      status text not null,
      position integer not null,
      started_at ${key} not null,
      ended_at ${key},
      checkpoint_seq integer not null default 0,
      cancel_requested integer not null default 0,
      reserved_tokens integer not null default 0,
      input_tokens integer,
      cached_tokens integer,
      output_tokens integer,
      first_token_ms integer,
      rejoins integer,
      reason text,
      rating text,
      telling text,
      log_slot integer not null,
      begun_ms bigint not null,
      ended_ms bigint
    )`,
    sql`create unique index run_one_at_once on run (thread_id) where status = 'running'`,
    sql`create index run_of_owner on run (project_id, visitor_id) where status = 'running'`,
    sql`create index run_of_instance on run (instance_id) where status = 'running'`,
    sql`create index run_of_question on run (thread_id, question_id, position)`,
    // The desk sums the last four columns, so it reads only the index.
    sql`create index run_of_project on run (project_id, started_at, run_id, reason, rating, rejoins, first_token_ms)`,
    sql`create index run_by_reason on run (project_id, reason, started_at, run_id) where reason is not null`,
    sql`create index run_rated on run (project_id, started_at, run_id, rating) where rating is not null`,

    sql`create table awaited_call (
      run_id ${key} not null references run on delete cascade,
      tool_call_id ${key} not null,
      tool_name text not null,
      kind text not null,
      asked_at ${key} not null,
      claimed_by ${key},
      allowed_by ${key},
      allowed_at ${key},
      decision text,
      answer text,
      decided_by ${key},
      decided_at ${key},
      primary key (run_id, tool_call_id)
    )`,

    sql`create table instance (instance_id ${key} not null primary key, seen_ms bigint not null)`,
  ];
};

/**
 * With several slots, each slot is a table that is emptied as a whole. With a single slot, `logged` marks the runs that
 * have a log.
 */
const logs: Statements = ({ keyType, logSlots }) => {
  const key = sql.raw(keyType);
  const table = sql`create table run_event (
    slot integer not null,
    run_id ${key} not null,
    seq integer not null,
    last_seq integer not null,
    data text not null,
    primary key (slot, run_id, seq)
  )`;
  if (logSlots === 1) {
    return [
      table,
      sql`alter table run add column logged integer not null default 1`,
      sql`create index run_with_log on run (ended_ms) where logged = 1`,
    ];
  }
  const slots = Array.from({ length: logSlots }, (_, slot) => slot);
  return [
    // The slot comes first in the key: a query for one slot reads no other partition.
    sql`${table} partition by list (slot)`,
    ...slots.map((slot) => {
      const name = sql.id(`run_event_${slot}`);
      return sql`create table ${name} partition of run_event for values in (${sql.lit(slot)})`;
    }),
    sql`create index run_ended on run (ended_ms)`,
  ];
};

const files: Statements = ({ keyType, bytesType, afterChange }) => {
  const key = sql.raw(keyType);
  return [
    sql`create table attachment (
      attachment_id ${key} not null primary key,
      thread_id ${key} not null references thread on delete cascade,
      project_id ${key} not null,
      visitor_id ${key} not null,
      message_id ${key},
      type text not null,
      name text not null,
      content_type text not null,
      size integer not null,
      url text not null,
      store text not null,
      counted integer not null default 1,
      created_at ${key} not null
    )`,
    sql`create index attachment_of_thread on attachment (thread_id, size)`,
    sql`create index attachment_unsent on attachment (created_at) where message_id is null`,
    sql`create index attachment_of_archived on attachment (thread_id, attachment_id) where counted = 0`,

    // The bytes of a file, in rows of bounded size.
    sql`create table file_chunk (
      file_id ${key} not null,
      position integer not null,
      bytes ${sql.raw(bytesType)} not null,
      primary key (file_id, position)
    )`,

    sql`create table stray_file (
      file_id ${key} not null primary key,
      store text not null,
      project_id ${key} not null,
      visitor_id ${key} not null,
      size integer not null,
      due_at ${key} not null,
      dropped integer not null default 0
    )`,
    sql`create index stray_file_due on stray_file (store, due_at, file_id)`,
    sql`create index stray_file_owner on stray_file (project_id, visitor_id)`,
    // However an attachment is deleted, also with its thread, its bytes are queued for deletion. The row keeps the
    // visitor, so that erasing the visitor deletes the file at once.
    ...afterChange({
      table: "attachment",
      change: "delete",
      trigger: "attachment_dropped",
      statement: `insert into stray_file (file_id, store, project_id, visitor_id, size, due_at, dropped)
        values (old.attachment_id, old.store, old.project_id, old.visitor_id, 0, '', 1)`,
    }),
  ];
};

/** The bytes of each project's attachments. Triggers keep the sum up to date, so that an upload need not compute it. */
const storedBytes: Statements = ({ keyType, afterChange }) => [
  sql`create table project_storage (
    project_id ${sql.raw(keyType)} not null primary key,
    bytes bigint not null
  )`,
  ...afterChange({
    table: "attachment",
    change: "insert",
    trigger: "attachment_counted",
    statement: `insert into project_storage (project_id, bytes) values (new.project_id, new.size)
      on conflict (project_id) do update set bytes = project_storage.bytes + excluded.bytes`,
  }),
  ...afterChange({
    table: "attachment",
    change: "delete",
    trigger: "attachment_uncounted",
    statement: "update project_storage set bytes = bytes - old.size * old.counted where project_id = old.project_id",
  }),
  ...afterChange({
    table: "attachment",
    change: "update of counted",
    trigger: "attachment_recounted",
    statement: `update project_storage set bytes = bytes + new.size * (new.counted - old.counted)
      where project_id = new.project_id`,
  }),
];

/** Tokens of projects and visitors per day. */
const usage: Statements = ({ keyType }) => {
  const key = sql.raw(keyType);
  const counts = sql`
    calls bigint not null,
    estimated_calls bigint not null,
    input_tokens bigint not null,
    cached_tokens bigint not null,
    output_tokens bigint not null`;
  return [
    sql`create table project_usage (
      project_id ${key} not null,
      day ${key} not null,
      model_id ${key} not null,
      purpose ${key} not null,
      shard integer not null,
      ${counts},
      primary key (project_id, day, model_id, purpose, shard)
    )`,
    sql`create table visitor_usage (
      project_id ${key} not null,
      visitor_id ${key} not null,
      day ${key} not null,
      model_id ${key} not null,
      purpose ${key} not null,
      ${counts},
      primary key (project_id, visitor_id, day, model_id, purpose)
    )`,
    sql`create index visitor_usage_by_day on visitor_usage (project_id, day)`,
    sql`create table visitor_consent (
      project_id ${key} not null,
      visitor_id ${key} not null,
      version ${key} not null,
      at ${key} not null,
      primary key (project_id, visitor_id, version)
    )`,
  ];
};
