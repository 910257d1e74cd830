import { Kysely, SqliteDialect } from "kysely";
import { expect, it } from "vitest";
import { openSqliteDatabase } from "../sqlite-database.ts";
import { compileOnce } from "./compile-once.ts";

interface Sought {
  readonly pet: { readonly name: string };
  readonly owner?: { readonly id: string };
}

it("compileOnce compiles a statement once, and gives each use its own values, null for a missing one", () => {
  const database = openSqliteDatabase({ path: ":memory:" });
  const db = new Kysely<{ pet: { name: string; age: number } }>({ dialect: new SqliteDialect({ database }) });
  let made = 0;
  const find = compileOnce(({ pet: { name }, owner }: Sought) => {
    made += 1;
    return db
      .selectFrom("pet")
      .selectAll()
      .where("name", "=", name)
      .where("age", ">", 1)
      .where("name", "!=", owner?.id ?? null)
      .compile();
  });
  const uses = [find({ pet: { name: "Ева" } }), find({ pet: { name: "Лис" }, owner: { id: "o1" } })];
  expect(uses.map(({ parameters }) => parameters)).toEqual([
    ["Ева", 1, null],
    ["Лис", 1, "o1"],
  ]);
  expect([made, uses[0]?.sql === uses[1]?.sql]).toEqual([1, true]);
  database.close();
});

it("A statement's only value stands for itself", () => {
  const database = openSqliteDatabase({ path: ":memory:" });
  const db = new Kysely<{ pet: { name: string } }>({ dialect: new SqliteDialect({ database }) });
  const find = compileOnce((name: string) => db.selectFrom("pet").selectAll().where("name", "=", name).compile());
  expect([find("Ева").parameters, find("Лис").parameters]).toEqual([["Ева"], ["Лис"]]);
  database.close();
});
