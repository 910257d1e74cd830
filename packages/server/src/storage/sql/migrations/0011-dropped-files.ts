import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Files that are to be deleted keep their visitor, whose erasure deletes them at once, and can be claimed. */
export const droppedFiles: Migration = {
  name: "dropped files",
  up: async (transaction, dialect) => {
    const key = sql.raw(dialect.keyType);
    const statements = [
      sql`alter table stray_file add column dropped integer not null default 0`,
      sql`update stray_file set dropped = 1 where due_at = ''`,
      sql`alter table attachment add column visitor_id ${key} not null default ''`,
      sql`update attachment set visitor_id =
        (select thread.visitor_id from thread where thread.thread_id = attachment.thread_id)`,
      dialect.concurrent ? sql`drop trigger attachment_gone on attachment` : sql`drop trigger attachment_gone`,
      ...dialect.afterChange({
        table: "attachment",
        change: "delete",
        trigger: "attachment_dropped",
        statement: `insert into stray_file (file_id, store, project_id, visitor_id, size, due_at, dropped)
          values (old.attachment_id, old.store, old.project_id, old.visitor_id, 0, '', 1)`,
      }),
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
