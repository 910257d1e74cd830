import { Kysely, PostgresDialect, sql, SqliteDialect } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresDialect } from "../../postgres-dialect.ts";
import { createPostgresPool } from "../../postgres-pool.ts";
import { openSqliteDatabase } from "../../sqlite-database.ts";
import { createSqliteDialect } from "../../sqlite-dialect.ts";
import { startTemporaryPostgres } from "../../testing/temporary-postgres.ts";
import type { TemporaryPostgres } from "../../testing/temporary-postgres.ts";
import type { Schema } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { inTwoTrips } from "./two-trips.ts";

describe("a transaction in two trips", () => {
  let postgres: TemporaryPostgres;
  beforeAll(async () => {
    postgres = await startTemporaryPostgres();
  });
  afterAll(() => postgres.stop());

  const databases: Readonly<Record<string, () => Promise<readonly [Db, SqlDialect]>>> = {
    SQLite: () => {
      const dialect = new SqliteDialect({ database: openSqliteDatabase({ path: ":memory:" }) });
      return Promise.resolve([new Kysely<Schema>({ dialect }), createSqliteDialect(() => Promise.resolve())]);
    },
    Postgres: async () => {
      const pool = createPostgresPool({ url: await postgres.createDatabase(), size: 1 });
      return [new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), postgresDialect];
    },
  };

  describe.each(Object.keys(databases))("on %s", (name) => {
    const open = async () => {
      const [db, dialect] = (await databases[name]?.()) ?? [];
      if (!db || !dialect) throw new Error(name);
      await sql`create table pet (name text primary key)`.execute(db);
      const insert = (pet: string) => sql`insert into pet values (${pet})`.compile(db);
      const count = sql<{ readonly pets: number | string }>`select count(*) as pets from pet`.compile(db);
      const pets = async () => Number((await db.executeQuery(count)).rows[0]?.pets);
      return { db, dialect, insert, count, pets };
    };

    it("decides by the rows that it reads, and commits its writes", async () => {
      const { db, dialect, insert, count, pets } = await open();
      const keep = (pet: string) =>
        inTwoTrips(db, dialect, { before: count, nothing: undefined }, ({ before: [row] }) => ({
          result: Number(row?.pets),
          writes: [insert(pet), insert(`${pet}'s friend`)],
        }));
      expect([await keep("Eva"), await keep("Fox"), await pets()]).toEqual([0, 2, 4]);
      await db.destroy();
    });

    it("commits nothing when one of its writes fails, and rejects with its error", async () => {
      const { db, dialect, insert, count, pets } = await open();
      const keep = inTwoTrips(db, dialect, { count }, () => ({
        result: undefined,
        writes: [insert("Eva"), sql`insert into cage values (1)`.compile(db), insert("Fox")],
      }));
      await expect(keep).rejects.toThrow(/cage/);
      expect(await pets()).toBe(0);
      await db.destroy();
    });

    it("rolls back when it decides to write nothing, and when the decision throws", async () => {
      const { db, dialect, insert, count, pets } = await open();
      expect(await inTwoTrips(db, dialect, { count }, () => ({ result: "no" }))).toBe("no");
      const undecided = inTwoTrips(db, dialect, { count }, () => {
        throw new Error("undecided");
      });
      await expect(undecided).rejects.toThrow("undecided");
      await db.executeQuery(insert("Eva"));
      expect(await pets()).toBe(1);
      await db.destroy();
    });
  });
});
