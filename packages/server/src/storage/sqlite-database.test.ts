import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql, SqliteDialect } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Schema } from "./sql/schema.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";

describe("SQLite's database", () => {
  let database: ReturnType<typeof openSqliteDatabase>;
  let db: Kysely<Schema>;
  beforeEach(() => {
    database = openSqliteDatabase({ path: ":memory:" });
    db = new Kysely({ dialect: new SqliteDialect({ database }) });
  });
  afterEach(() => db.destroy());

  it("keeps the most recently used statements prepared, up to the limit", () => {
    const first = database.prepare("select 1");
    expect(database.prepare("select 1")).toBe(first);
    for (let n = 2; n <= 200; n += 1) database.prepare(`select ${n}`);
    expect(database.prepare("select 1")).toBe(first);
    const second = database.prepare("select 2");
    for (let n = 201; n <= 399; n += 1) database.prepare(`select ${n}`);
    expect(database.prepare("select 2")).toBe(second);
    expect(database.prepare("select 1")).not.toBe(first);
  });

  it("prevents other processes from writing from the beginning of a transaction", async () => {
    const folder = mkdtempSync(join(tmpdir(), "nitka-sqlite-"));
    const path = join(folder, "nitka.db");
    const file = new Kysely<Schema>({ dialect: new SqliteDialect({ database: openSqliteDatabase({ path }) }) });
    await sql`create table t (n integer)`.execute(file);
    const other = new DatabaseSync(path, { timeout: 0 });
    await file.transaction().execute(async (transaction) => {
      await sql`select * from t`.execute(transaction);
      expect(() => other.exec("insert into t values (2)")).toThrow("database is locked");
      await sql`insert into t values (1)`.execute(transaction);
    });
    expect(other.prepare("select n from t").all()).toEqual([{ n: 1 }]);
    other.close();
    await file.destroy();
    rmSync(folder, { recursive: true });
  });

  it("does not change errors of the program", async () => {
    await expect(sql`select nonsense`.execute(db)).rejects.toThrow("no such column: nonsense");
  });
});
