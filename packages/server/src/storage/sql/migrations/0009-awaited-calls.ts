import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Tool calls that wait for the visitor, and what became of them. */
export const awaitedCalls: Migration = {
  name: "awaited calls",
  up: async (transaction, dialect) => {
    const key = sql.raw(dialect.keyType);
    await sql`create table awaited_call (
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
    )`.execute(transaction);
  },
};
