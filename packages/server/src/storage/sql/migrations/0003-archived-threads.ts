import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** An index for threads that were archived long ago. */
export const archivedThreads: Migration = {
  name: "archived threads",
  up: async (transaction) => {
    await sql`create index thread_archived on thread (project_id, archived_at) where archived_at is not null`.execute(
      transaction,
    );
  },
};
