import { Kysely, PostgresDialect, sql } from "kysely";
import { Client } from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { crashContract } from "./contract/crash.contract.ts";
import { follow } from "./contract/events.contract.ts";
import { allOf, anna, answer, beginIn, delta, time } from "./contract/fixture.contract.ts";
import { preparePostgresRoles } from "./contract/postgres-roles.contract.ts";
import type { PostgresRoles } from "./contract/postgres-roles.contract.ts";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { queryPostgres } from "./contract/query-postgres.contract.ts";
import { createPostgresPool } from "./postgres-pool.ts";
import { migratePostgres, openPostgresStorage } from "./postgres.ts";
import type { Schema } from "./sql/schema.ts";
import { storageContract } from "./storage.contract.ts";
import type { RunSignal } from "./storage.ts";
import { StorageUnavailableError } from "./storage.ts";

describe("Postgres", () => {
  const postgres = postgresForFile();

  describe("alone", () => {
    let url: string;
    let roles: PostgresRoles;
    beforeAll(async () => {
      url = await postgres.current.createDatabase();
      roles = await preparePostgresRoles(url);
      await migratePostgres({ url: roles.owner });
    });

    // With the rights of the serving role, which are enough for everything.
    storageContract(async () => {
      // As empty as after the migrations, which only put data into `schema_version`. Deleting a few rows takes a
      // fraction of the time of truncating, which makes new files for each table and index. Foreign keys are not
      // checked.
      await queryPostgres(
        url,
        `set session_replication_role = replica; do $$ declare name text; begin
          for name in select tablename from pg_tables where schemaname = 'nitka' and tablename <> 'schema_version' loop
            execute 'delete from nitka.' || name; end loop; end $$`,
      );
      return await openPostgresStorage({ url: roles.app, instanceId: "here", connections: 4, migrate: false });
    });
  });

  it("works with a role without the right to change the schema, which another role migrates", async () => {
    const { owner, app } = await preparePostgresRoles(await postgres.current.createDatabase());
    const open = (migrate: boolean) => openPostgresStorage({ url: app, instanceId: "here", connections: 1, migrate });
    await expect(open(false)).rejects.toThrow(
      /^The database's schema is version 0, and this version of Nitka needs version \d+\. /,
    );
    await expect(open(true)).rejects.toThrow(
      /permission denied for schema nitka\. Give its role that right, or let another role run `nitka migrate`\.$/,
    );
    expect(await migratePostgres({ url: owner })).toEqual(["first version"]);
    expect(await migratePostgres({ url: owner })).toEqual([]);
    // A schema that is up to date needs no right to change it.
    for (const migrate of [false, true]) await (await open(migrate)).close();
    await expect(queryPostgres(app, "create table nitka.mine (n integer)")).rejects.toThrow("permission denied");
    await queryPostgres(owner, "update nitka.schema_version set version = version - 1");
    await expect(open(false)).rejects.toThrow(/^The database's schema is version \d+, /);
  });

  it("continues when a later version's migration adds columns to the tables of prepared statements", async () => {
    const url = await postgres.current.createDatabase();
    const storage = await openPostgresStorage({ url, instanceId: "here", connections: 1 });
    const converse = async (n: number) => {
      const [threadId, runId] = [`t${n}`, `run${n}`];
      await beginIn(storage, threadId, n);
      await storage.events.append([delta(n, 1, "a")]);
      await storage.runs.checkpoint(runId, answer(n, "a"), 1);
      expect(await storage.runs.findRunning(anna, threadId)).toMatchObject({ runId, checkpointSeq: 1 });
      expect(await storage.runs.end(runId, answer(n, "ab"), time(2))).toBe(true);
      expect(await storage.threads.find(anna, threadId)).toMatchObject({ threadId });
      expect(await storage.messages.find(anna, threadId, `a${n}`)).toMatchObject(answer(n, "ab"));
    };
    for (const n of [1, 2, 3, 4]) await converse(n);
    for (const table of ["thread", "message", "run", "run_event"]) {
      await queryPostgres(url, `alter table nitka.${table} add column later text`);
    }
    for (const n of [5, 6]) await converse(n);
    await storage.close();
  });

  it("empties a slot of event logs when all of its runs have ended and no reader has locked it", async () => {
    const url = await postgres.current.createDatabase();
    const { owner, app } = await preparePostgresRoles(url);
    await migratePostgres({ url: owner });
    const storage = await openPostgresStorage({ url: app, instanceId: "here", connections: 4, migrate: false });
    const kept = async () => {
      const logs = await Promise.all([1, 2, 3].map((n) => storage.events.read(`run${n}`, 0)));
      return logs.flat().map(({ runId }) => runId);
    };
    for (const n of [1, 2, 3]) {
      await beginIn(storage, `t${n}`, n);
      // As if it had begun in an earlier slot: the current slots are never emptied.
      await queryPostgres(
        url,
        `update nitka.run set log_slot = (log_slot + ${n === 3 ? 3 : 2}) % 6 where run_id = 'run${n}'`,
      );
      await storage.events.append([delta(n, 1, "a")]);
    }
    await storage.runs.end("run1", answer(1, "a"), time(2));
    await storage.runs.end("run3", answer(3, "a"), time(2));
    expect(await allOf(storage.runs.forget(60_000))).toBe(0);
    expect(await kept()).toEqual(["run1", "run2", "run3"]);

    const reader = new Client({ connectionString: url });
    await reader.connect();
    await reader.query("begin; select * from nitka.run_event");
    expect(await allOf(storage.runs.forget(0))).toBe(0);
    expect(await kept()).toEqual(["run1", "run2", "run3"]);
    await reader.end();
    expect(await allOf(storage.runs.forget(0))).toBe(1);
    expect(await kept()).toEqual(["run1", "run2"]);
    await storage.runs.end("run2", answer(2, "a"), time(2));
    expect(await allOf(storage.runs.forget(0))).toBe(1);
    expect(await kept()).toEqual([]);
    expect(await allOf(storage.runs.forget(0))).toBe(0);
    await storage.close();
  });

  it("migrates once when many start together on an empty database, and touches nothing else in it", async () => {
    const url = await postgres.current.createDatabase();
    await queryPostgres(url, "create table message (theirs text); insert into message values ('kept')");
    const storages = await Promise.all(
      Array.from({ length: 6 }, (_, n) => openPostgresStorage({ url, instanceId: `i${n}`, connections: 2 })),
    );
    await storages[0]?.threads.create(anna, { threadId: "t1", updatedAt: time(1) });
    for (const storage of storages) expect(await storage.threads.count(anna)).toBe(1);
    for (const storage of storages) await storage.close();
    expect(await queryPostgres(url, "select * from message")).toEqual([{ theirs: "kept" }]);
  });

  it("refuses a database that a later version has used", async () => {
    const url = await postgres.current.createDatabase();
    await (await openPostgresStorage({ url, instanceId: "here" })).close();
    await queryPostgres(url, "update nitka.schema_version set version = 999, oldest_program = 999");
    await expect(openPostgresStorage({ url, instanceId: "here" })).rejects.toThrow(
      /^The database's schema is version 999, /,
    );
  });

  it.each([
    ["database", (url: URL) => (url.pathname = "/nowhere"), /database "nowhere" does not exist/],
    ["role", (url: URL) => (url.username = "nobody"), /role "nobody" does not exist/],
  ])("reports a missing %s", async (_, change, sentence) => {
    const url = new URL(await postgres.current.createDatabase());
    change(url);
    const error: unknown = await openPostgresStorage({ url: url.href, instanceId: "here" }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect(String(error)).toMatch(sentence);
    expect(String(error)).toMatch(/correct the address, the name or the password\.$/);
  });

  it("fails at the start without the password in its message when the database cannot be reached", async () => {
    const error: unknown = await openPostgresStorage({
      url: "postgres://nitka:s3cret@127.0.0.1:1/chat",
      instanceId: "here",
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect(String(error)).toMatch(
      /The Postgres database at 127\.0\.0\.1:1\/chat cannot be used, and the server cannot run without it\. .*ECONNREFUSED.* Start it, or correct the address, the name or the password\.$/,
    );
    expect(String(error)).not.toContain("s3cret");
    const missing = (await postgres.current.createDatabase()).replace(/\/[^/]*$/, "/missing");
    await expect(openPostgresStorage({ url: missing, instanceId: "here" })).rejects.toThrow(
      'database "missing" does not exist',
    );
    await expect(openPostgresStorage({ url: "nitka.db", instanceId: "here" })).rejects.toThrow(
      "The address of a Postgres database must look like postgres://user:password@host:5432/database, got something else.",
    );
  });

  it("rejects while the database is down, and continues when it is back without losing an event", async () => {
    const url = await postgres.current.createDatabase();
    const here = await openPostgresStorage({ url, instanceId: "here", connections: 4 });
    const there = await openPostgresStorage({ url, instanceId: "there", connections: 4 });
    await beginIn(here, "t1", 1);
    await here.events.append([delta(1, 1, "a")]);
    const followed = follow(there, "run1");
    await eventually(() => expect(followed.events).toHaveLength(1));

    await postgres.current.halt();
    await expect(here.threads.count(anna)).rejects.toThrow(StorageUnavailableError);
    await expect(here.ping()).rejects.toThrow(/^Postgres is unavailable: /);
    await expect(here.events.append([delta(1, 2, "b")])).rejects.toThrow(StorageUnavailableError);
    await expect(there.signals.publish({ type: "cancel", runId: "run1" })).rejects.toThrow(StorageUnavailableError);

    await postgres.current.resume();
    await here.ping();
    await here.events.append([delta(1, 2, "b"), delta(1, 3, "c")]);
    await eventually(() => expect(followed.events.map(({ seq }) => seq)).toEqual([1, 2, 3]));
    const told: RunSignal[] = [];
    here.signals.subscribe((signal) => told.push(signal));
    await eventually(async () => {
      await there.signals.publish({ type: "cancel", runId: "run1" });
      expect(told).toContainEqual({ type: "cancel", runId: "run1" });
    });
    await here.close();
    await there.close();
  });

  it("serves visitors while the desk, opened again and again, waits for the database", async () => {
    const url = await postgres.current.createDatabase();
    const storage = await openPostgresStorage({ url, instanceId: "here", connections: 2 });
    const blocker = new Client({ connectionString: url });
    await blocker.connect();
    await blocker.query("begin; lock table nitka.project_usage in access exclusive mode");
    const day = { from: "2026-11-01T00:00:00.000Z", to: "2026-11-02T00:00:00.000Z" };
    const reads = Promise.all([1, 2, 3, 4, 5, 6].map(() => storage.desk.tokens({ projectIds: ["shop"], ...day })));
    await eventually(async () => {
      const waiting = await queryPostgres(url, "select 1 from pg_locks where not granted");
      expect(waiting).toHaveLength(2);
    });
    await beginIn(storage, "t1", 1);
    expect(await storage.threads.list(anna, { limit: 9 })).toHaveLength(1);
    await blocker.query("rollback");
    await blocker.end();
    expect(await reads).toEqual([[], [], [], [], [], []]);
    await storage.close();
  });

  it("survives a connection that breaks between two queries of a transaction", async () => {
    const url = await postgres.current.createDatabase();
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createPostgresPool({ url, size: 1 }) }) });
    const cut = db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      await queryPostgres(url, `select pg_terminate_backend(${rows[0]?.pid})`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await sql`select 1`.execute(transaction);
    });
    await expect(cut).rejects.toThrow(StorageUnavailableError);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    await db.destroy();
  });

  it("gives the bytes of each of its tables", async () => {
    const url = await postgres.current.createDatabase();
    const storage = await openPostgresStorage({ url, instanceId: "here", connections: 1 });
    const sizes = await storage.tableBytes();
    expect(Object.keys(sizes)).toEqual(
      expect.arrayContaining(["thread", "message", "run", "run_event_0", "file_chunk"]),
    );
    expect(Object.values(sizes).every((bytes) => bytes >= 0)).toBe(true);
    expect(sizes["thread"]).toBeGreaterThan(0);
    await storage.close();
  });

  crashContract(async () => {
    const target = await postgres.current.createDatabase();
    const open = () => openPostgresStorage({ url: target, instanceId: "checker", connections: 2 });
    return { target, open, check: () => [] };
  });
});
