import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import type { KnowledgeStore } from "./knowledge-store.ts";
import { NoPagesError } from "./schema.ts";
import { listJson, part, raw } from "./sql.ts";
import type { Sql, SqlDatabase, SqlDialect, SqlValue } from "./sql.ts";
import { createSqlKnowledge } from "./sql-knowledge.ts";

/** How many milliseconds a statement waits while another process writes. */
const BUSY_MS = 5000;

const dialect: SqlDialect = {
  table: raw,
  find: (name) => part`select 1 from sqlite_master where name = ${name}`,
  beforeTables: [],
  keyType: raw("text"),
  // Without `autoincrement` SQLite gives the highest id a second time once its row is deleted.
  idType: raw("integer primary key autoincrement"),
  bytesType: raw("blob"),
  clustered: raw("without rowid"),
  covers: () => raw(""),
  isIn: (list) => ("texts" in list ? part`in (${list})` : part`in (select value from json_each(${list}))`),
  // SQLite reads the tables of a cross join in the order in which they are written.
  rowByRow: (found) => found,
  rows: (list, columns) => {
    const named = Object.keys(columns).map((name, at) => `value ->> ${at} as ${name}`);
    return part`(select ${raw(named.join(", "))} from json_each(${listJson(list, columns)})) as listed`;
  },
};

/** Opens pages and passages in a file of SQLite, and makes it where there is none, or throws `NoPagesError` without `create`. */
export async function openSqliteKnowledge({
  path,
  create = true,
}: {
  readonly path: string;
  readonly create?: boolean;
}): Promise<KnowledgeStore> {
  if (!create && !existsSync(path)) throw new NoPagesError("There are no pages yet.");
  mkdirSync(dirname(path), { recursive: true });
  const writer = openDatabase(path);
  // Searches have a connection of their own. While a page is written they see the file as it was before.
  const reader = openDatabase(path);
  const [write, read] = [connection(writer), connection(reader)];
  let last: Promise<unknown> = Promise.resolve();
  const database: SqlDatabase = {
    dialect,
    sql: read,
    transaction: async (work) => {
      const turn = last.then(async () => {
        writer.exec("begin immediate");
        try {
          const result = await work(write);
          writer.exec("commit");
          return result;
        } catch (error) {
          if (writer.isTransaction) writer.exec("rollback");
          throw error;
        }
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    settle: async () => {
      await write`pragma optimize`;
      await write`pragma wal_checkpoint`;
    },
    close: async () => {
      await last;
      reader.close();
      writer.close();
    },
  };
  return createSqlKnowledge(database, create);
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  // The words of a page are spread over the whole file. A large log collects those of many pages before they are written to it.
  // Otherwise each page would wait for the disk, and so would the answers that are stored meanwhile.
  database.exec("pragma journal_mode = wal; pragma synchronous = normal");
  database.exec("pragma wal_autocheckpoint = 16000; pragma journal_size_limit = 67108864");
  // 16 MB hold what searches of 50,000 passages read most often. A mapped file would count as memory of the process in full.
  database.exec("pragma cache_size = -16000; pragma mmap_size = 0; pragma temp_store = memory");
  return database;
}

function connection(database: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  // node:sqlite is synchronous. The function is async so that an error rejects the promise.
  return async <T extends object>(...statement: Parameters<Sql>) => {
    const { texts, values } = part(...statement);
    const text = texts.join("?");
    const known = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, known);
    return known.all(...values.map(inputValue)) as unknown as readonly T[];
  };
}

function inputValue(value: SqlValue): SQLInputValue {
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);
}
