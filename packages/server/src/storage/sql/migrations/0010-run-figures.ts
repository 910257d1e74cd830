import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What operators want to know of a run, and an index to find the runs of a project by their time. */
export const runFigures: Migration = {
  name: "run figures",
  up: async (transaction) => {
    for (const column of ["first_token_ms", "rejoins"]) {
      await sql`alter table run add column ${sql.ref(column)} integer`.execute(transaction);
    }
    await sql`create index run_of_project on run (project_id, started_at)`.execute(transaction);
  },
};
