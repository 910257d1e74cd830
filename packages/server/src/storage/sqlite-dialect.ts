import { sql } from "kysely";
import type { SqlDialect } from "./sql/sql-dialect.ts";

/**
 * SQLite, used by one process: its transactions have the database to themselves.
 *
 * @param sync resolves when everything that was committed is on the disk
 */
export function createSqliteDialect(sync: () => Promise<void>): SqlDialect {
  return {
    concurrent: false,
    // Nobody else reads along: the log is for recovery alone, and a fourth of a second is little to lose.
    flushMs: 250,
    keyType: "text",
    bytesType: "blob",
    table: (name) => sql.id(name),
    items: (json) => sql`json_each(${json}) as item`,
    element: (index) => sql`item.value ->> ${sql.lit(index)}`,
    lock: () => Promise.resolve(),
    relaxed: (db, work) => db.transaction().execute(work),
    durable: async (work) => {
      const result = await work;
      await sync();
      return result;
    },
  };
}
