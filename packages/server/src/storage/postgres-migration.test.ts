import { Kysely, PostgresDialect, sql } from "kysely";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { beginIn } from "./contract/fixture.contract.ts";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { queryPostgres } from "./contract/query-postgres.contract.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createPostgresPool } from "./postgres-pool.ts";
import { openPostgresStorage } from "./postgres.ts";
import { firstVersion } from "./sql/migrations/0001-first-version.ts";
import { migrate } from "./sql/migrations/migrate.ts";
import type { Migration } from "./sql/migrations/migration.ts";
import type { Schema } from "./sql/schema.ts";
import type { Storage } from "./storage.ts";
import { StorageUnavailableError } from "./storage.ts";

const patience = { lockMs: 100, pauseMs: 50, tries: 1_000 };

/** The additions of a later version: a column in the transaction, an index after it. */
const later: Migration = {
  name: "later",
  up: (transaction) => sql`alter table message add column later text`.execute(transaction).then(() => undefined),
  indexes: [{ name: "message_later", table: "message", on: "(later) where later is not null" }],
};
const steps = [firstVersion, later];

describe("A migration of a Postgres in use", () => {
  const postgres = postgresForFile();
  let url = "";
  let storage: Storage;
  let reader: Client;
  const dbs: Kysely<Schema>[] = [];

  beforeEach(async () => {
    url = await postgres.createMigrated();
    storage = await openPostgresStorage({ url, instanceId: "here", connections: 2 });
    reader = new Client({ connectionString: url });
    reader.on("error", () => undefined);
    await reader.connect();
  });
  afterEach(async () => {
    await reader.end();
    for (const db of dbs.splice(0)) await db.destroy();
    await storage.close();
  });

  /** A process that migrates. */
  function process(): Kysely<Schema> {
    const pool = createPostgresPool({ url, size: 1, patient: true });
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    dbs.push(db);
    return db;
  }

  const migrated = async () => {
    const [state] = (await queryPostgres(
      url,
      `select (select version from nitka.schema_version) as version,
        (select count(*)::integer from information_schema.columns where table_schema = 'nitka' and column_name = 'later') as columns,
        (select indisvalid from pg_index where indexrelid = to_regclass('nitka.message_later')) as valid`,
    )) as [{ readonly version: number; readonly columns: number; readonly valid: boolean | null }];
    return [state.version, state.columns, state.valid];
  };

  it("waits for a backup that reads for hours without blocking new questions", async () => {
    await reader.query("begin; select * from nitka.message");
    let isOver = false;
    const migration = migrate(process(), postgresDialect, steps, patience).finally(() => {
      isOver = true;
    });
    // A question writes a row of the table that the migration wants to lock.
    for (let n = 1; n <= 20; n += 1) await beginIn(storage, `thread${n}`, n);
    expect([isOver, await migrated()]).toEqual([false, [1, 0, null]]);
    await reader.query("commit");
    expect(await migration).toEqual(["later"]);
    expect(await migrated()).toEqual([2, 1, true]);
  });

  it("gives up with a sentence when the backup does not end", async () => {
    await reader.query("begin; select * from nitka.message");
    const error: unknown = await migrate(process(), postgresDialect, steps, { ...patience, tries: 2 }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect(String(error)).toContain("another session holds locks on its tables, such as a backup");
    expect(await migrated()).toEqual([1, 0, null]);
  });

  it("is done once by several processes, all of which wait for its index", async () => {
    await reader.query("begin isolation level repeatable read; select * from nitka.run");
    const migrations = [1, 2, 3].map(() => migrate(process(), postgresDialect, steps, patience));
    // The index waits for the reader's transaction to end.
    await eventually(async () => expect((await migrated()).slice(0, 2)).toEqual([2, 1]));
    await reader.query("commit");
    expect((await Promise.all(migrations)).flat()).toEqual(["later"]);
    expect(await migrated()).toEqual([2, 1, true]);
  });

  it("that is killed within its transaction leaves the schema unchanged", async () => {
    const killed: Migration = {
      ...later,
      up: async (transaction, dialect) => {
        await later.up(transaction, dialect);
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction);
      },
    };
    await expect(migrate(process(), postgresDialect, [firstVersion, killed], patience)).rejects.toThrow(
      StorageUnavailableError,
    );
    expect(await migrated()).toEqual([1, 0, null]);
    expect(await migrate(process(), postgresDialect, steps, patience)).toEqual(["later"]);
  });

  it("that is killed while it makes an index leaves an invalid one, which the next start makes again", async () => {
    await reader.query("begin isolation level repeatable read; select * from nitka.run");
    const migration = migrate(process(), postgresDialect, steps, patience).catch((error: unknown) => error);
    await eventually(async () => expect(await migrated()).toEqual([2, 1, false]));
    await queryPostgres(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'create%index concurrently%' and pid <> pg_backend_pid()`,
    );
    expect(await migration).toBeInstanceOf(Error);
    await reader.query("commit");
    expect(await migrated()).toEqual([2, 1, false]);
    // The previous version works meanwhile, and may start again.
    await (await openPostgresStorage({ url, instanceId: "again", connections: 1 })).close();
    expect(await migrate(process(), postgresDialect, steps, patience)).toEqual([]);
    expect(await migrated()).toEqual([2, 1, true]);
  });
});
