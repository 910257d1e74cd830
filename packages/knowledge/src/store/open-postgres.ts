import { Pool, types } from "pg";
import type { PoolClient } from "pg";
import type { KnowledgeStore } from "./knowledge-store.ts";
import { listJson, part, raw } from "./sql.ts";
import type { Sql, SqlDatabase, SqlDialect } from "./sql.ts";
import { createSqlKnowledge } from "./sql-knowledge.ts";

/** All tables are in this schema, so that they stay apart from the chat's own. */
const SCHEMA = "nitka_knowledge";

/** The tables of which a search reads the indexes only. */
const searched = ["page", "post", "word", "gram"].map((name) => `${SCHEMA}.${name}`);

const CONNECT_MS = 5000;
const QUERY_MS = 30_000;

const dialect: SqlDialect = {
  table: (name) => raw(`${SCHEMA}.${name}`),
  find: (name) => part`select 1 where to_regclass(${`${SCHEMA}.${name}`}) is not null`,
  beforeTables: [
    raw("select pg_advisory_xact_lock(hashtextextended('nitka_knowledge', 0))"),
    raw(`create schema if not exists ${SCHEMA}`),
  ],
  keyType: raw(`text collate "C"`),
  idType: raw("bigint generated always as identity primary key"),
  bytesType: raw("bytea"),
  clustered: raw(""),
  covers: (column) => raw(`include (${column})`),
  isIn: (list) => ("texts" in list ? part`= any(array(${list}))` : part`= any(${list})`),
  // Postgres estimates few passages for each word. Without `lateral` it would read all passages of a word, or all words of a passage.
  rowByRow: (found) => part`lateral (select * from ${found} offset 0) as post`,
  rows: (list, columns) => {
    const cast = Object.entries(columns).map(([name, type], at) => `(value ->> ${at})::${String(type)} as ${name}`);
    const values = part`json_array_elements(${listJson(list, columns)}::json)`;
    // Without the limit Postgres estimates a hundred rows, and parses the JSON again for each row of a join.
    return part`(select ${raw(cast.join(", "))} from ${values} limit ${list.length}) as listed`;
  },
};

/** Opens pages and passages in a schema of Postgres, and makes it where there is none, or throws `NoPagesError` without `create`. */
export async function openPostgresKnowledge({
  url,
  connections = 4,
  create = true,
}: {
  readonly url: string;
  readonly connections?: number;
  readonly create?: boolean;
}): Promise<KnowledgeStore> {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    // Postgres estimates many rows for a list in a parameter. It would compile a query for 100 ms that runs for one.
    // It is set by a statement, because poolers refuse it as a setting of the connection.
    verify: (client, done) => client.query("set jit = off", done),
    // `pg` gives numbers of 64 bits as text. Ours are small enough to be exact as numbers of JavaScript.
    types: {
      getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
    },
  });
  // An idle connection has broken. The next query opens another one.
  pool.on("error", () => undefined);
  const database: SqlDatabase = {
    dialect,
    sql: queries(pool),
    transaction: async (work) => {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const result = await work(queries(client));
        await client.query("commit");
        client.release();
        return result;
      } catch (error) {
        await client.query("rollback").then(
          () => client.release(),
          () => client.release(true),
        );
        throw error;
      }
    },
    // Until a vacuum has run, a search reads the rows of the tables beside their indexes, which is slow.
    settle: async () => void (await pool.query(`vacuum (analyze) ${searched.join(", ")}`).catch(() => undefined)),
    close: async () => pool.end(),
  };
  return createSqlKnowledge(database, create);
}

function queries(client: Pool | PoolClient): Sql {
  return async <T extends object>(...statement: Parameters<Sql>) => {
    const { texts, values } = part(...statement);
    const text = texts.reduce((before, after, number) => `${before}$${number}${after}`);
    const { rows } = await client.query<T>(text, [...values]);
    return rows;
  };
}
