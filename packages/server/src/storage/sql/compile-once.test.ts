import { Kysely, SqliteDialect } from "kysely";
import { expect, it } from "vitest";
import { openSqliteDatabase } from "../sqlite-database.ts";
import { compileOnce } from "./compile-once.ts";
import type { Given } from "./compile-once.ts";

it("compileOnce compiles a statement once, and gives each use its own values", () => {
  const database = openSqliteDatabase({ path: ":memory:" });
  const db = new Kysely<{ pet: { name: string; age: number } }>({ dialect: new SqliteDialect({ database }) });
  let made = 0;
  const find = compileOnce((given: Given<{ readonly pet: { readonly name: string } }>) => {
    made += 1;
    const name = given(({ pet }) => pet.name);
    return db
      .selectFrom("pet")
      .selectAll()
      .where("name", "=", name)
      .where("age", ">", 1)
      .where("name", "!=", name)
      .compile();
  });
  const uses = [find({ pet: { name: "Ева" } }), find({ pet: { name: "Лис" } })];
  expect(uses.map(({ parameters }) => parameters)).toEqual([
    ["Ева", 1, "Ева"],
    ["Лис", 1, "Лис"],
  ]);
  expect([made, uses[0]?.sql === uses[1]?.sql]).toEqual([1, true]);
  database.close();
});
