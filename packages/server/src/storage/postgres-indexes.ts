import { sql } from "kysely";
import { POSTGRES_SCHEMA } from "./postgres-pool.ts";
import type { Db, LateIndex } from "./sql/sql-dialect.ts";

/** The key of the lock that lets one process at a time make indexes. */
const KEY = sql`hashtextextended('nitka/indexes', 0)`;

/**
 * Makes the missing indexes, on one connection outside of any transaction. `concurrently` does not lock writers out,
 * but leaves an invalid index behind when it is interrupted. Such an index is made again.
 *
 * @returns false when another process is making them
 */
export async function makePostgresIndexes(db: Db, indexes: readonly LateIndex[]): Promise<boolean> {
  return await db.connection().execute(async (connection) => {
    if ((await missing(connection, indexes)).length === 0) return true;
    // The lock is tried, never waited for: creating an index waits for all running statements, so a session that waits
    // in a statement would block the index itself.
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${KEY}) as locked`.execute(connection);
    if (!rows[0]?.locked) return false;
    try {
      await sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`.execute(
        connection,
      );
      for (const index of await missing(connection, indexes)) await make(connection, index);
      return true;
    } finally {
      await sql`select pg_advisory_unlock(${KEY})`.execute(connection);
    }
  });
}

/** The indexes that do not exist or are not valid. */
async function missing(db: Db, indexes: readonly LateIndex[]): Promise<readonly LateIndex[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = to_regnamespace(${POSTGRES_SCHEMA}) and indisvalid`.execute(db);
  const valid = new Set(rows.map(({ name }) => name));
  return indexes.filter(({ name }) => !valid.has(name));
}

async function make(db: Db, { name, table, unique, on }: LateIndex): Promise<void> {
  await sql`drop index concurrently if exists ${sql.id(POSTGRES_SCHEMA, name)}`.execute(db);
  await sql`create ${unique ? sql`unique` : sql``} index concurrently ${sql.id(name)}
    on ${sql.id(POSTGRES_SCHEMA, table)} ${sql.raw(on)}`.execute(db);
}
