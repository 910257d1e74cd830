import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import { expect, it } from "vitest";
import { anna, run, submit, time } from "./contract/fixture.contract.ts";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createPostgresPool, POSTGRES_SCHEMA } from "./postgres-pool.ts";
import { migratePostgres } from "./postgres.ts";
import { migrate } from "./sql/migrations/migrate.ts";
import { writtenColumns } from "./sql/rows/written-columns.ts";
import { rowsOfBegin } from "./sql/runs/begin-statements.ts";
import { createRunBegins } from "./sql/runs/begin-run.ts";
import { rowOfEnd } from "./sql/runs/end-statements.ts";
import { createRunEnds } from "./sql/runs/end-runs.ts";
import type { Schema } from "./sql/schema.ts";
import type { Db, SqlDialect } from "./sql/sql-dialect.ts";
import { threadRepository } from "./sql/threads/thread-repository.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";

const postgres = postgresForFile();

async function openSqlite(): Promise<{ readonly db: Db; readonly dialect: SqlDialect }> {
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: openSqliteDatabase({ path: ":memory:" }) }) });
  const dialect = createSqliteDialect(() => Promise.resolve());
  await migrate(db, dialect);
  return { db, dialect };
}

/** @param concurrent whether a run begins and ends with one statement; then there is no transaction to fall back on */
async function openPostgres(concurrent: boolean): Promise<{ readonly db: Db; readonly dialect: SqlDialect }> {
  const url = await postgres.current.createDatabase();
  await migratePostgres({ url });
  const pool = createPostgresPool({ url, size: 1 });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }).withSchema(POSTGRES_SCHEMA);
  const noTransaction = () => Promise.reject(new Error("One statement is enough"));
  return { db, dialect: { ...postgresDialect, concurrent, ...(concurrent && { send: noTransaction }) } };
}

/** Columns that the database fills. */
const filledBySql = { run: ["log_slot", "begun_ms", "ended_ms", "logged"], message: [] as readonly string[] };

/** A row without the columns that the database fills. It must have every other column of its table. */
function written(table: "run" | "message", row: object | undefined): object {
  const values = Object.entries(row ?? {}).filter(([name]) => !filledBySql[table].includes(name));
  expect(values.map(([name]) => name).toSorted()).toEqual(Object.keys(writtenColumns[table]).toSorted());
  return Object.fromEntries(values);
}

it.each([
  { way: "by SQLite's transactions", open: openSqlite },
  { way: "by Postgres' transactions", open: () => openPostgres(false) },
  { way: "by one statement of Postgres", open: () => openPostgres(true) },
])("the begin and the end of a run write each of their columns $way", async ({ open }) => {
  const { db, dialect } = await open();
  const rowOf = (id: string) => db.selectFrom("message").selectAll().where("id", "=", id).executeTakeFirst();
  const runRow = () => db.selectFrom("run").selectAll().where("run_id", "=", "run2").executeTakeFirst();
  const [begin, end] = [createRunBegins(db, dialect), createRunEnds(db, dialect, () => undefined)];
  await threadRepository(db, dialect).create(anna, { threadId: "t1", updatedAt: time(0) });
  const askedAs = (n: number, parentId: string | null) => {
    const question = { id: `q${n}`, role: "user" as const, content: "Почему?", parentId, createdAt: time(3) };
    return { owner: anna, run: run(n, "t1"), question };
  };
  await begin(askedAs(1, null), submit(1));
  await end({ runId: "run1", answer: { id: "a1", role: "assistant", content: [] }, at: time(2) });

  const asked = askedAs(2, "a1");
  const cost = { modelId: "small", inputTokens: 7 };
  expect((await begin(asked, { ...submit(4), cost })).outcome).toBe("begun");
  const begun = rowsOfBegin(asked, { at: time(4), isKnown: false, position: 3, cost });
  expect(written("run", await runRow())).toEqual({ ...begun.run, reserved_tokens: 7 });
  expect(written("message", await rowOf("q2"))).toEqual(begun.question);
  expect(written("message", await rowOf("a2"))).toEqual(begun.answer);

  const ended = {
    runId: "run2",
    answer: {
      id: "a2",
      role: "assistant" as const,
      content: "Потому",
      status: { type: "incomplete", reason: "error", error: "Не вышло", code: "failed" } as const,
      suggestions: [{ title: "Ещё", prompt: "Ещё" }],
    },
    at: time(5),
    log: { seq: 9, tail: [], instanceId: "here" },
    used: [
      {
        modelId: "large",
        purpose: "answer",
        calls: 1,
        estimatedCalls: 0,
        inputTokens: 5,
        cachedInputTokens: 2,
        outputTokens: 3,
      },
    ],
    figures: { firstTokenMs: 12, rejoins: 4 },
  };
  expect(await end(ended)).toBe(true);
  const values = rowOfEnd(ended);
  expect([...Object.values(values.run), ...Object.values(values.message)]).not.toContain(null);
  expect(written("run", await runRow())).toEqual({ ...begun.run, reserved_tokens: 7, ...values.run });
  expect(written("message", await rowOf("a2"))).toEqual({ ...begun.answer, ...values.message });
  await db.destroy();
});
