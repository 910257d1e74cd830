import { Kysely, sql, SqliteDialect } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteDatabase } from "../../sqlite-database.ts";
import { createSqliteDialect } from "../../sqlite-dialect.ts";
import type { Schema } from "../schema.ts";
import { SchemaVersionError } from "../../storage.ts";
import { checkSchema, migrate } from "./migrate.ts";
import type { Migration } from "./migration.ts";

const sqliteDialect = createSqliteDialect(() => Promise.resolve());

describe("migrate", () => {
  let db: Kysely<Schema>;
  let done: string[];
  beforeEach(() => {
    db = new Kysely({ dialect: new SqliteDialect({ database: openSqliteDatabase({ path: ":memory:" }) }) });
    done = [];
  });
  afterEach(() => db.destroy());

  const step = (name: string): Migration => ({
    name,
    up: async (transaction) => {
      done.push(name);
      await sql.raw(`create table ${name} (n integer)`).execute(transaction);
    },
  });

  it("runs each migration once and in order, later ones too, and returns their names", async () => {
    const [a, b, c] = [step("a"), step("b"), step("c")];
    expect(await migrate(db, sqliteDialect, [a, b])).toEqual(["a", "b"]);
    expect(await migrate(db, sqliteDialect, [a, b])).toEqual([]);
    expect(done).toEqual(["a", "b"]);
    expect(await migrate(db, sqliteDialect, [a, b, c])).toEqual(["c"]);
    expect(done).toEqual(["a", "b", "c"]);
  });

  it("runs each migration once when many processes start together", async () => {
    await Promise.all([1, 2, 3, 4].map(() => migrate(db, sqliteDialect, [step("a"), step("b")])));
    expect(done).toEqual(["a", "b"]);
  });

  it("changes nothing when a migration fails", async () => {
    const failing: Migration = { name: "failing", up: () => Promise.reject(new Error("failed")) };
    await expect(migrate(db, sqliteDialect, [step("a"), failing])).rejects.toThrow("failed");
    await migrate(db, sqliteDialect, [step("a"), step("b")]);
    expect(done).toEqual(["a", "a", "b"]);
  });

  it("keeps the previous version of the program working, unless a step breaks it", async () => {
    const [a, b, c, d] = [step("a"), step("b"), step("c"), { ...step("d"), breaks: true as const }];
    const can = async (...known: readonly Migration[]) =>
      checkSchema(db, sqliteDialect, known).then(
        () => true,
        () => false,
      );
    await migrate(db, sqliteDialect, [a]);
    expect(await can(a)).toBe(true);
    await migrate(db, sqliteDialect, [a, b]);
    expect([await can(a, b), await can(a)]).toEqual([true, true]);
    // An instance of the previous version may start again meanwhile, and changes nothing.
    expect(await migrate(db, sqliteDialect, [a])).toEqual([]);
    await migrate(db, sqliteDialect, [a, b, c]);
    expect([await can(a, b, c), await can(a, b), await can(a)]).toEqual([true, true, false]);
    await migrate(db, sqliteDialect, [a, b, c, d]);
    expect([await can(a, b, c, d), await can(a, b, c)]).toEqual([true, false]);
    expect(done).toEqual(["a", "b", "c", "d"]);
  });

  it("makes the indexes of its steps, also those that an earlier process has left out", async () => {
    const plain: Migration = {
      name: "plain",
      up: (transaction) => sql`create table instance (n integer)`.execute(transaction).then(() => undefined),
    };
    const indexed: Migration = {
      ...plain,
      indexes: [{ name: "instance_n", table: "instance", unique: true, on: "(n)" }],
    };
    const indexes = async () =>
      (await sql<{ name: string }>`select name from sqlite_schema where type = 'index'`.execute(db)).rows;
    await migrate(db, sqliteDialect, [plain]);
    expect(await indexes()).toEqual([]);
    for (let n = 0; n < 2; n += 1) expect(await migrate(db, sqliteDialect, [indexed])).toEqual([]);
    expect(await indexes()).toEqual([{ name: "instance_n" }]);
  });

  it("refuses a newer schema", async () => {
    await migrate(db, sqliteDialect, [step("a"), { ...step("b"), breaks: true }]);
    const error: unknown = await migrate(db, sqliteDialect, [step("a")]).catch((reason: unknown) => reason);
    expect(error).toEqual(
      new SchemaVersionError(
        "The database's schema is version 2, and this version of Nitka supports versions up to 1. " +
          "A later version has migrated it: start that version, or restore an earlier backup.",
        2,
        false,
      ),
    );
    await expect(checkSchema(db, sqliteDialect, [step("a")])).rejects.toEqual(error);
    expect(String(error)).toMatch(/^SchemaVersionError: The database's schema is version 2/);
  });

  it("checks without a change, and refuses an older schema", async () => {
    const older = (version: number) =>
      new SchemaVersionError(
        `The database's schema is version ${version}, and this version of Nitka needs version 2. ` +
          "Bring it up to date with `nitka migrate`, or let the program do so when it starts.",
        version,
        true,
      );
    const [a, b] = [step("a"), step("b")];
    await expect(checkSchema(db, sqliteDialect, [a, b])).rejects.toEqual(older(0));
    expect((await sql`select name from sqlite_schema`.execute(db)).rows).toEqual([]);
    await migrate(db, sqliteDialect, [a]);
    await expect(checkSchema(db, sqliteDialect, [a, b])).rejects.toEqual(older(1));
    expect(done).toEqual(["a"]);
    await migrate(db, sqliteDialect, [a, b]);
    await checkSchema(db, sqliteDialect, [a, b]);
    expect(done).toEqual(["a", "b"]);
  });
});
