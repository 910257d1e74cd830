import { sql } from "kysely";
import { deleteLogs } from "./sql/runs/forget-logs.ts";
import type { SqlDialect } from "./sql/sql-dialect.ts";
import type { WordIndex } from "./sql/search/word-index.ts";

/**
 * Words in SQLite: an FTS5 table whose rows have the row numbers of `thread_words`. It finds the entries of
 * `storedWords`.
 */
const sqliteWords: WordIndex = {
  make: [
    // The words need no further analysis. Besides letters and digits they contain the characters that names contain.
    sql.raw(
      `create virtual table thread_text using fts5(words, detail = none, tokenize = "ascii tokenchars '._:/@''+#-~^'")`,
    ),
    // Removes erased words from the file itself.
    sql`insert into thread_text (thread_text, rank) values ('secure-delete', 1)`,
    sql.raw(`create trigger thread_text_dropped after delete on thread_words
      begin delete from thread_text where rowid = old.no; end`),
  ],
  insert: (column, rows) => [
    sql`insert into thread_words (thread_id, updated_at, position)
      select ${column("thread_id")}, ${column("updated_at")}, ${column("position")} from ${rows}`,
    sql`insert into thread_text (rowid, words) select thread_words.no, ${column("text")}
      from ${rows} join thread_words on thread_words.thread_id = ${column("thread_id")}`,
  ],
  text: sql`(select thread_text.words from thread_text where thread_text.rowid = thread_words.no)`,
  has: (groups) => {
    const query = groups
      .map((group) => `(${group.map(({ word, isBeginning }) => `"${word}"${isBeginning ? " *" : ""}`).join(" OR ")})`)
      .join(" AND ");
    return sql`thread_words.no in (select rowid from thread_text where thread_text match ${query})`;
  },
};

/**
 * SQLite, used by one process: its transactions run one after the other.
 *
 * @param sync resolves when everything that was committed is on the disk
 * @param reclaim removes deleted data from the file and its write-ahead log
 */
export function createSqliteDialect(
  sync: () => Promise<void>,
  reclaim: SqlDialect["reclaim"] = () => Promise.resolve(true),
): SqlDialect {
  const dialect: SqlDialect = {
    concurrent: false,
    keyType: "text",
    bytesType: "blob",
    rowKey: "no integer primary key",
    wordIndex: sqliteWords,
    serialKey: "integer primary key autoincrement",
    randomId: "lower(hex(randomblob(16)))",
    table: (name) => sql.id(name),
    hasTable: (name) => sql`exists (select 1 from sqlite_schema where type = 'table' and name = ${name})`,
    jsonRows,
    oneJsonRow: jsonRows,
    jsonValue: (index) => sql`json_row.value ->> ${sql.lit(index)}`,
    nowMs,
    // For the bytes of each table SQLite would have to read every page of the file.
    tableBytes: sql`select 'all' as name, page_count * page_size as bytes from pragma_page_count, pragma_page_size`,
    // A single slot: deleting rows is fast enough for one process.
    logSlots: 1,
    logSlot: sql.lit(0),
    logTable: () => sql.id("run_event"),
    forgetLogs: (db, keptMs) => deleteLogs(db, dialect, keptMs),
    afterChange: ({ table, change, trigger, statement }) => [
      sql.raw(`create trigger ${trigger} after ${change} on ${table} begin ${statement}; end`),
    ],
    lock: () => undefined,
    tryLock: () => undefined,
    isRowOf: (names) => sql`rowid in (${names})`,
    rowName: sql`rowid`,
    partMs: 5,
    sumSpanMs: 3_600_000,
    send: async (connection, statements) => {
      const rows: (readonly unknown[])[] = [];
      for (const statement of statements) rows.push((await connection.executeQuery(statement)).rows);
      return rows;
    },
    asOne: (statements) => statements,
    appending: (insert) => insert,
    prepareMigration: () => Promise.resolve(),
    isLocked: () => false,
    makeIndexes: async (db, indexes) => {
      for (const { name, table, unique, on } of indexes) {
        await sql`create ${unique ? sql`unique` : sql``} index if not exists ${sql.id(name)}
          on ${sql.id(table)} ${sql.raw(on)}`.execute(db);
      }
      return true;
    },
    relaxed: (db, work) => db.transaction().execute(work),
    reclaim,
    durable: async (work) => {
      const result = await work;
      await sync();
      return result;
    },
  };
  return dialect;
}

const jsonRows: SqlDialect["jsonRows"] = (json) => sql`json_each(${json}) as json_row`;
const nowMs = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
