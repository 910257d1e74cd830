import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Bytes of a chunk, a copy of what `database-files.ts` had: a migration must not change with the code. */
const CHUNK_BYTES = 262_144;

/** The bytes of attachments in rows of bounded size, and a queue of files to delete. */
export const files: Migration = {
  name: "files",
  up: async (transaction, dialect) => {
    const key = sql.raw(dialect.keyType);
    const bytes = sql.raw(dialect.bytesType);
    const chunk = sql.lit(CHUNK_BYTES);
    const statements = [
      sql`create table file_chunk (
        file_id ${key} not null,
        position integer not null,
        bytes ${bytes} not null,
        primary key (file_id, position)
      )`,
      sql`create table stray_file (
        file_id ${key} not null primary key,
        store text not null,
        project_id ${key} not null,
        visitor_id ${key} not null,
        size integer not null,
        due_at ${key} not null
      )`,
      sql`create index stray_file_due on stray_file (store, due_at, file_id)`,
      sql`create index stray_file_owner on stray_file (project_id, visitor_id)`,

      sql`insert into file_chunk (file_id, position, bytes)
        with recursive chunk (file_id, position, size) as (
          select attachment_id, 0, length(bytes) from attachment
          union all
          select file_id, position + 1, size from chunk where (position + 1) * ${chunk} < size
        )
        select file_id, position, substr(bytes, position * ${chunk} + 1, ${chunk})
        from chunk join attachment on attachment_id = file_id`,
      sql`alter table attachment drop column bytes`,
      sql`alter table attachment add column store text not null default 'database'`,
      sql`drop index attachment_of_thread`,
      sql`create index attachment_of_thread on attachment (thread_id, size)`,
      // In whatever way an attachment is deleted, also with its thread, its bytes are queued for deletion.
      ...dialect.afterChange({
        table: "attachment",
        change: "delete",
        trigger: "attachment_gone",
        statement: `insert into stray_file (file_id, store, project_id, visitor_id, size, due_at)
          values (old.attachment_id, old.store, '', '', 0, '')`,
      }),
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
