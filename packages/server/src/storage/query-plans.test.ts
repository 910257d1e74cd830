/** Queries that read across visitors, and the index with which each database must find their rows. */
import { Kysely, PostgresDialect, sql, SqliteDialect } from "kysely";
import type { CompiledQuery, Dialect } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import type { DeskRunQuery } from "./desk.ts";
import { createFolderFiles } from "./files/folder-files.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createPostgresPool, POSTGRES_SCHEMA } from "./postgres-pool.ts";
import { migratePostgres } from "./postgres.ts";
import { deskRepository } from "./sql/desk-repository.ts";
import { migrate } from "./sql/migrations/migrate.ts";
import type { Schema } from "./sql/schema.ts";
import type { Db, SqlDialect } from "./sql/sql-dialect.ts";
import { sweepFiles } from "./sql/files/sweep-files.ts";
import { usageRepository } from "./sql/usage/usage-repository.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";

const span = { projectIds: ["project1", "project2"], from: "2026-11-10T00:00:00.000Z", to: "2026-11-24T00:00:00.000Z" };
const page: DeskRunQuery = { ...span, limit: 20 };
const after = { startedAt: "2026-11-17T00:00:00.000Z", runId: "run7" };

interface Case {
  readonly query: string;
  readonly table: string;
  readonly index: string;
  /** Whether the found rows are sorted or grouped, because they are few. */
  readonly maySort?: true;
  /** Whether the index contains everything that is read. */
  readonly reads?: "index alone";
  readonly run: (db: Db, dialect: SqlDialect) => Promise<unknown>;
}

const runsOf = (name: string, index: string, query: Partial<DeskRunQuery>): Case => ({
  query: `the desk's runs, ${name}`,
  table: "run",
  index,
  run: (db, dialect) => deskRepository(db, dialect).runs({ ...page, ...query }),
});

const cases: readonly Case[] = [
  runsOf("newest first", "run_of_project", {}),
  runsOf("a later page", "run_of_project", { before: after }),
  runsOf("complete ones", "run_of_project", { status: "complete" }),
  runsOf("with an error", "run_by_reason", { status: "error" }),
  runsOf("interrupted ones, a later page", "run_by_reason", { status: "interrupted", before: after }),
  runsOf("rated", "run_rated", { rating: "any" }),
  runsOf("rated down, a later page", "run_rated", { rating: "down", before: after }),
  {
    query: "the desk's days",
    table: "run",
    index: "run_of_project",
    reads: "index alone",
    run: (db, dialect) => deskRepository(db, dialect).days(span),
  },
  {
    query: "what nobody knew",
    table: "unanswered",
    index: "unanswered_list",
    maySort: true,
    run: (db, dialect) =>
      deskRepository(db, dialect).unanswered({ ...span, from: "2026-11-22T00:00:00.000Z", limit: 20 }),
  },
  {
    query: "the files to sweep",
    table: "stray_file",
    index: "stray_file_due",
    maySort: true,
    run: async (db, dialect) => {
      for await (const _ of sweepFiles(db, dialect, [createFolderFiles("no such folder")], "2026-11-10T00:00:00.000Z"));
    },
  },
  {
    query: "usage by visitor of all projects",
    table: "visitor_usage",
    index: "visitor_usage_by_day",
    maySort: true,
    run: (db, dialect) =>
      usageRepository(db, dialect).report({ by: "visitor", from: "2026-11-11", to: "2026-11-11", top: 5 }),
  },
];

/** Two projects with 14 days of runs: one in fifty has failed, and another one is rated. */
async function fill(db: Db, dialect: SqlDialect): Promise<void> {
  const numbers = sql`with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < 7999)`;
  const day = sql`(10 + n / 572)`;
  const at = sql`'2026-11-' || ${day} || 'T12:00:00.' || (100 + n % 572) || 'Z'`;
  const project = sql`'project' || (1 + n % 2)`;
  await sql`insert into ${dialect.table("thread")} (thread_id, project_id, visitor_id, created_at, updated_at)
    ${numbers} select 't' || n, ${project}, 'v' || n, ${at}, ${at} from numbers`.execute(db);
  await sql`insert into ${dialect.table("message")} (thread_id, id, position, role, content)
    ${numbers} select 't' || n, 'a' || n, 0, 'assistant', '[]' from numbers`.execute(db);
  await sql`insert into ${dialect.table("run")} (run_id, thread_id, project_id, visitor_id, question_id, answer_id,
      instance_id, status, position, started_at, log_slot, begun_ms, reason, rating)
    ${numbers} select 'run' || n, 't' || n, ${project}, 'v' || n, 'q' || n, 'a' || n, 'here',
      case when n % 50 = 7 then 'incomplete' else 'complete' end, 0, ${at}, 0, 0,
      case when n % 50 = 7 then 'error' end, case when n % 50 = 8 then 'down' end from numbers`.execute(db);
  await sql`insert into ${dialect.table("unanswered")} (id, thread_id, message_id, project_id, reason, question, passages, at)
    ${numbers} select 'u' || n, 't' || n, 'a' || n, ${project}, 'uncited', 'q', '[]', ${at} from numbers`.execute(db);
  await sql`insert into ${dialect.table("stray_file")} (file_id, store, project_id, visitor_id, size, due_at)
    ${numbers} select 'f' || n, 'folder', ${project}, 'v' || n, 0, ${at} from numbers`.execute(db);
  await sql`insert into ${dialect.table("project_usage")} (project_id, day, model_id, purpose, shard, calls, estimated_calls,
      input_tokens, cached_tokens, output_tokens)
    select 'project1', '2026-11-11', 'large', 'answer', 0, 1, 0, 1, 0, 1`.execute(db);
  await sql`insert into ${dialect.table("visitor_usage")} (project_id, visitor_id, day, model_id, purpose, calls,
      estimated_calls, input_tokens, cached_tokens, output_tokens)
    ${numbers} select ${project}, 'v' || n, '2026-11-' || ${day}, 'large', 'answer', 1, 0, 1, 0, 1 from numbers`.execute(
    db,
  );
}

/** A database whose queries are recorded. */
interface Noted {
  readonly db: Db;
  readonly dialect: SqlDialect;
  readonly queries: CompiledQuery[];
}

function noted(dialect: Dialect, sqlDialect: SqlDialect, schema?: string): Noted {
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Schema>({ dialect, log: ({ query }) => void queries.push(query) });
  return { db: schema === undefined ? db : db.withSchema(schema), dialect: sqlDialect, queries };
}

/** The plans of the reads of a case's table. */
async function plansOf(
  { db, dialect, queries }: Noted,
  { table, run }: Case,
  explain: string,
): Promise<readonly string[]> {
  queries.length = 0;
  await run(db, dialect);
  const asked = [...queries].filter(({ sql: text }) => text.includes(`"${table}"`) && !text.startsWith("delete"));
  expect(asked).not.toEqual([]);
  return Promise.all(
    asked.map(async (query) => {
      const { rows } = await db.executeQuery({ ...query, sql: `${explain} ${query.sql}` });
      return rows.map((row) => JSON.stringify(row)).join("\n");
    }),
  );
}

describe("The plans of queries across visitors", () => {
  describe("on SQLite", () => {
    const dialect = createSqliteDialect(() => Promise.resolve());
    let on: Noted;
    beforeAll(async () => {
      on = noted(new SqliteDialect({ database: openSqliteDatabase({ path: ":memory:" }) }), dialect);
      await migrate(on.db, dialect);
      await fill(on.db, dialect);
    });
    afterAll(() => on.db.destroy());

    it.each(cases)("$query: $index", async (one) => {
      for (const plan of await plansOf(on, one, "explain query plan")) {
        expect(plan).toContain(`${one.index} (`);
        expect(one.maySort ?? !plan.includes("TEMP B-TREE")).toBe(true);
        expect(one.reads === undefined || plan.includes("COVERING INDEX")).toBe(true);
      }
    });
  });

  describe("on Postgres", () => {
    const postgres = postgresForFile();
    let on: Noted;
    beforeAll(async () => {
      const url = await postgres.current.createDatabase();
      await migratePostgres({ url });
      const pool = createPostgresPool({ url, size: 1 });
      on = noted(new PostgresDialect({ pool }), postgresDialect, POSTGRES_SCHEMA);
      await fill(on.db, postgresDialect);
      await sql`vacuum analyze`.execute(on.db);
    });
    afterAll(() => on.db.destroy());

    it.each(cases)("$query: $index", async (one) => {
      for (const plan of await plansOf(on, one, "explain")) {
        expect(plan).toMatch(new RegExp(`Index .*(using|on) ${one.index} `));
        expect(one.maySort ?? !/\bSort\b/.test(plan)).toBe(true);
        expect(one.reads === undefined || plan.includes("Index Only Scan")).toBe(true);
      }
    });
  });
});
