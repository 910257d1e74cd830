import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** The code of a failed answer. */
export const failureCodes: Migration = {
  name: "failure codes",
  up: async (transaction) => {
    await sql`alter table message add column code text`.execute(transaction);
  },
};
