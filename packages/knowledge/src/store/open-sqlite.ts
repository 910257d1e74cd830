import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import type { KnowledgeStore } from "./knowledge-store.ts";
import { NoPagesError } from "./schema.ts";
import type { Sql, SqlDatabase, SqlDialect, SqlValue } from "./sql.ts";
import { createSqlKnowledge } from "./sql-knowledge.ts";

/** Milliseconds to wait for another process that is writing. */
const BUSY_MS = 5000;

const dialect: SqlDialect = {
  table: (name) => name,
  find: (name) => `select 1 from sqlite_master where name = '${name}'`,
  beforeTables: [],
  keyType: "text",
  // Without `autoincrement` SQLite gives the highest id again after its row is gone.
  idType: "integer primary key autoincrement",
  bytesType: "blob",
  numberType: "real",
  clustered: "without rowid",
  covers: () => "",
  jsonList: (column) => `json_group_array(${column})`,
  isIn: (parameter) => `in (select value from json_each(${parameter}))`,
  rows: (parameter, columns) =>
    `(select ${columns.map(([name], index) => `value ->> ${index} as ${name}`).join(", ")} from json_each(${parameter}))`,
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
  // Searches go on while a page is written: they see the file as it was before.
  const reader = openDatabase(path);
  const [write, read] = [connection(writer), connection(reader)];
  let last: Promise<unknown> = Promise.resolve();
  const database: SqlDatabase = {
    dialect,
    ...read,
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
      await write.all("pragma optimize");
      await write.all("pragma wal_checkpoint");
    },
    close: async () => {
      await last;
      reader.close();
      writer.close();
    },
  };
  return createSqlKnowledge(database, create).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  // A page's words stand all over the file. They are written into it once for many pages: else each page waits for the disk, and
  // so do the answers that are stored meanwhile.
  database.exec("pragma journal_mode = wal; pragma synchronous = normal");
  database.exec("pragma wal_autocheckpoint = 16000; pragma journal_size_limit = 67108864");
  // What is read again and again of the index of 50,000 passages. A mapped file would count as memory of the process, whole.
  database.exec("pragma cache_size = -16000; pragma mmap_size = 0; pragma temp_store = memory");
  return database;
}

function connection(database: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  return {
    // node:sqlite is synchronous. What it throws rejects.
    all: <T extends object>(text: string, ...values: readonly SqlValue[]) =>
      new Promise<readonly T[]>((resolve) => {
        const statement = prepared.get(text) ?? database.prepare(text.replaceAll(/\$(?=\d)/g, "?"));
        prepared.set(text, statement);
        resolve(statement.all(...values.map(inputValue)) as unknown as readonly T[]);
      }),
  };
}

function inputValue(value: SqlValue): SQLInputValue {
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);
}
