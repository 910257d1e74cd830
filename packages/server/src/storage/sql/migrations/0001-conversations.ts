import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Threads, their messages, runs with their logs, and attachments. */
export const conversations: Migration = {
  name: "conversations",
  up: async (transaction, dialect) => {
    const key = sql.raw(dialect.keyType);
    const bytes = sql.raw(dialect.bytesType);
    const statements = [
      sql`create table thread (
        thread_id ${key} not null primary key,
        project_id ${key} not null,
        visitor_id ${key} not null,
        title text,
        titled_by text,
        head_id ${key},
        created_at ${key} not null,
        updated_at ${key} not null,
        archived_at ${key}
      )`,
      sql`create index thread_list on thread (project_id, visitor_id, updated_at desc, thread_id desc)
        where archived_at is null`,
      sql`create index thread_owner on thread (project_id, visitor_id)`,
      sql`create index thread_age on thread (project_id, updated_at)`,

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
        created_at ${key},
        primary key (thread_id, id)
      )`,
      sql`create unique index message_order on message (thread_id, position)`,

      sql`create table run (
        run_id ${key} not null primary key,
        thread_id ${key} not null references thread on delete cascade,
        project_id ${key} not null,
        visitor_id ${key} not null,
        question_id ${key} not null,
        answer_id ${key} not null,
        instance_id ${key} not null,
        status text not null,
        position integer not null,
        started_at ${key} not null,
        ended_at ${key},
        checkpoint_seq integer not null default 0,
        cancel_requested integer not null default 0,
        logged integer not null default 1
      )`,
      sql`create unique index run_one_at_once on run (thread_id) where status = 'running'`,
      sql`create index run_of_owner on run (project_id, visitor_id) where status = 'running'`,
      sql`create index run_of_question on run (thread_id, question_id, position)`,
      sql`create index run_with_log on run (ended_at) where logged = 1`,

      // Rows are stored in the order of insertion. Clustered by run, each flush would write a page for every run.
      sql`create table run_event (
        run_id ${key} not null,
        seq integer not null,
        last_seq integer not null,
        data text not null,
        primary key (run_id, seq)
      )`,

      sql`create table instance (instance_id ${key} not null primary key, seen_at ${key} not null)`,

      sql`create table attachment (
        attachment_id ${key} not null primary key,
        thread_id ${key} not null references thread on delete cascade,
        message_id ${key},
        type text not null,
        name text not null,
        content_type text not null,
        size integer not null,
        url text not null,
        created_at ${key} not null,
        bytes ${bytes} not null
      )`,
      sql`create index attachment_of_thread on attachment (thread_id)`,
      sql`create index attachment_unsent on attachment (created_at) where message_id is null`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
