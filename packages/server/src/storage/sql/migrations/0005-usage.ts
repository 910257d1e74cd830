import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Tokens by day of projects and visitors, and the tokens of each answer. */
export const usage: Migration = {
  name: "usage",
  up: async (transaction, dialect) => {
    const key = sql.raw(dialect.keyType);
    const counts = sql`
      calls bigint not null,
      estimated_calls bigint not null,
      input_tokens bigint not null,
      cached_tokens bigint not null,
      output_tokens bigint not null`;
    const statements = [
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
      sql`alter table run add column model_id ${key}`,
      sql`alter table run add column reserved_tokens integer not null default 0`,
      sql`alter table run add column input_tokens integer`,
      sql`alter table run add column cached_tokens integer`,
      sql`alter table run add column output_tokens integer`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
