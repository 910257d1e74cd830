import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { POSTGRES_SCHEMA } from "./postgres-pool.ts";
import { emptySlots } from "./sql/runs/forget-logs.ts";
import type { SqlDialect, Db, LateIndex } from "./sql/sql-dialect.ts";
import type { WordIndex } from "./sql/search/word-index.ts";

/** Words in Postgres: a `tsvector` for the lookups beside the text that has the positions. */
const postgresWords: WordIndex = {
  make: [
    sql`alter table thread_words add column text text, add column lexemes tsvector`,
    // A low target moves long values out of the rows, so that the rows of a frequent word take few pages.
    sql`alter table thread_words set (toast_tuple_target = 128)`,
    // With `fastupdate`, a search would also have to read the list of entries that are not yet in the index.
    sql`create index thread_words_lexemes on thread_words using gin (lexemes) with (fastupdate = off)`,
  ],
  insert: (column, rows) => [
    sql`insert into ${sql.id(POSTGRES_SCHEMA, "thread_words")} (thread_id, updated_at, position, text, lexemes)
      select ${column("thread_id")}, ${column("updated_at")}, ${column("position")}, ${column("text")},
        array_to_tsvector(array(
          select split_part(entry, '=', 1) from unnest(string_to_array(btrim(${column("text")}), ' ')) as entry
          where entry <> ''))
      from ${rows}`,
  ],
  text: sql`thread_words.text`,
  has: (groups) => {
    const lookup = (word: string) => `'${word.replaceAll("'", "''")}'`;
    const query = groups
      .map((group) => `(${group.map(({ word, isBeginning }) => lookup(word) + (isBeginning ? ":*" : "")).join(" | ")})`)
      .join(" & ");
    return sql`thread_words.lexemes @@ ${query}::tsquery`;
  },
};

/** The slots cover one hour: each holds the logs of 10 minutes, and is reused long after its runs have ended. */
const LOG_SLOTS = 6;
const SLOT_MS = 600_000;

const nowMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** lock_not_available and deadlock_detected (PostgreSQL manual, appendix A). */
const LOCKED: ReadonlySet<string> = new Set(["55P03", "40P01"]);

/** The SQLSTATE of an error, also of one that the pool has wrapped. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error && typeof error.code === "string" ? error.code : codeOf(error.cause);
}

/** The query that sends notices. `notices` is a JSON list of [channel, payload] pairs. */
export function notifyAll(notices: string): RawBuilder<unknown> {
  const { jsonRows, jsonValue } = postgresDialect;
  return sql`select count(pg_notify(${jsonValue(0, "text")}, ${jsonValue(1, "text")})) from ${jsonRows(notices)}`;
}

/** Postgres, used by any number of instances. */
export const postgresDialect: SqlDialect = {
  concurrent: true,
  keyType: `text collate "C"`,
  bytesType: "bytea",
  wordIndex: postgresWords,
  serialKey: "bigint generated always as identity primary key",
  randomId: "replace(gen_random_uuid()::text, '-', '')",
  table: (name) => sql.id(POSTGRES_SCHEMA, name),
  hasTable: (name) => sql`to_regclass(${`${POSTGRES_SCHEMA}.${name}`}) is not null`,
  jsonRows: (json) => sql`json_array_elements(${json}::json) as json_row (value)`,
  // OFFSET keeps the list in one row. Without it, each column would parse the whole list.
  oneJsonRow: (json) => sql`(select ${json}::json -> 0 as value offset 0) as json_row`,
  jsonValue: (index, type) => sql`(json_row.value ->> ${sql.lit(index)})::${sql.raw(type)}`,
  nowMs,
  tableBytes: sql`
    select relname as name, pg_total_relation_size(oid) as bytes from pg_class
    where relnamespace = ${POSTGRES_SCHEMA}::regnamespace and relkind = 'r'`,
  logSlots: LOG_SLOTS,
  logSlot: sql`((${nowMs} / ${sql.lit(SLOT_MS)}) % ${sql.lit(LOG_SLOTS)})::integer`,
  logTable: (slot) => sql.id(POSTGRES_SCHEMA, `run_event_${slot}`),
  forgetLogs: (db, keptMs) => emptySlots(db, postgresDialect, keptMs),
  afterChange: ({ table, change, trigger, statement }) => [
    sql.raw(
      `create function ${trigger}() returns trigger language plpgsql set search_path from current ` +
        `as $$ begin ${statement}; return null; end $$`,
    ),
    sql.raw(`create trigger ${trigger} after ${change} on ${table} for each row execute function ${trigger}()`),
  ],
  lock: (key) => sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`,
  tryLock: (key) => sql`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as locked`,
  isRowOf: (names) => sql`ctid = any(array(${names}))`,
  rowName: sql`ctid`,
  partMs: 50,
  sumSpanMs: 86_400_000,
  // After a failed statement the later ones fail too, because the transaction is aborted. The first error is the cause.
  send: async (connection, statements) => {
    const sent = statements.map((statement) => connection.executeQuery(statement));
    await Promise.allSettled(sent);
    return (await Promise.all(sent)).map(({ rows }) => rows);
  },
  asOne: (statements) => {
    const last = statements.at(-1);
    if (!last || statements.length === 1) return statements;
    const before = statements.slice(0, -1).map((each, index) => sql`${sql.id(`step_${index}`)} as (${each})`);
    return [sql`with ${sql.join(before)} ${last}`];
  },
  appending: (insert, notices) => sql`
    with appended as (${insert}) select set_config('synchronous_commit', 'off', true), (${notifyAll(notices)})`,
  prepareMigration: async (transaction, lockMs) => {
    await sql`select set_config('search_path', ${POSTGRES_SCHEMA}, true), set_config('statement_timeout', '0', true),
      set_config('lock_timeout', ${String(lockMs)}, true)`.execute(transaction);
  },
  isLocked: (error) => LOCKED.has(codeOf(error) ?? ""),
  makeIndexes: makePostgresIndexes,
  // COMMIT returns when the transaction is on the disk.
  durable: (work) => work,
  relaxed: (db, work) =>
    db.transaction().execute(async (transaction) => {
      await sql`set local synchronous_commit to off`.execute(transaction);
      return await work(transaction);
    }),
  reclaim: () => Promise.resolve(true),
};

/** The key of the lock that lets one process at a time make indexes. */
const KEY = sql`hashtextextended('nitka/indexes', 0)`;

/**
 * Makes the missing indexes, on one connection outside of any transaction. `concurrently` does not lock writers out,
 * but leaves an invalid index behind when it is interrupted. Such an index is made again.
 *
 * @returns false when another process is making them
 */
async function makePostgresIndexes(db: Db, indexes: readonly LateIndex[]): Promise<boolean> {
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
