import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** The bytes of each project's attachments, kept up to date by triggers, so that an upload need not sum them all. */
export const projectStorage: Migration = {
  name: "project storage",
  up: async (transaction, dialect) => {
    const key = sql.raw(dialect.keyType);
    const statements = [
      sql`create table project_storage (
        project_id ${key} not null primary key,
        bytes bigint not null
      )`,
      sql`alter table attachment add column project_id ${key} not null default ''`,
      sql`update attachment set project_id =
        (select thread.project_id from thread where thread.thread_id = attachment.thread_id)`,
      sql`insert into project_storage (project_id, bytes)
        select project_id, sum(size) from attachment group by project_id`,
      ...dialect.afterChange({
        table: "attachment",
        change: "insert",
        trigger: "attachment_counted",
        statement: `insert into project_storage (project_id, bytes) values (new.project_id, new.size)
          on conflict (project_id) do update set bytes = project_storage.bytes + excluded.bytes`,
      }),
      ...dialect.afterChange({
        table: "attachment",
        change: "delete",
        trigger: "attachment_uncounted",
        statement: "update project_storage set bytes = bytes - old.size where project_id = old.project_id",
      }),
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
