import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What belongs to an answer beside its content: what to ask next, and what the visitor thinks of it. */
export const messageNotes: Migration = {
  name: "message notes",
  up: async (transaction) => {
    for (const column of ["suggestions", "rating", "rating_reason"]) {
      await sql`alter table message add column ${sql.ref(column)} text`.execute(transaction);
    }
  },
};
