import { sql } from "kysely";
import type { SqlDialect } from "./sql/sql-dialect.ts";

/** SQLite, used by one process: its transactions have the database to themselves. */
export const sqliteDialect: SqlDialect = {
  concurrent: false,
  // Nobody else reads along: the log is for recovery alone, and a fourth of a second is little to lose.
  flushMs: 250,
  keyType: "text",
  bytesType: "blob",
  items: (json) => sql`json_each(${json}) as item`,
  element: (index) => sql`item.value ->> ${sql.lit(index)}`,
  lock: () => Promise.resolve(),
  relaxed: (db, work) =>
    db.connection().execute(async (connection) => {
      // With NORMAL a commit is in the file when it is told, as with FULL, but reaches the disk with a later one.
      await sql`pragma synchronous = normal`.execute(connection);
      try {
        return await connection.transaction().execute(work);
      } finally {
        await sql`pragma synchronous = full`.execute(connection);
      }
    }),
};
