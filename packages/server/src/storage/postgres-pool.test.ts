import { once } from "node:events";
import { createServer, Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { Kysely, PostgresDialect, sql } from "kysely";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { queryPostgres } from "./contract/query-postgres.contract.ts";
import { startWatchedProxy } from "./contract/watched-proxy.contract.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createPostgresPool, findLimitsPlace } from "./postgres-pool.ts";
import type { LimitsPlace } from "./postgres-pool.ts";
import { openPostgresStorage } from "./postgres.ts";
import { StorageUnavailableError } from "./storage.ts";
import type { Schema } from "./sql/schema.ts";
import type { Db } from "./sql/sql-dialect.ts";

const limited = [
  "idle_in_transaction_session_timeout 30000ms",
  "lock_timeout 10000ms",
  "statement_timeout 25000ms",
] as const;
const unlimited = ["idle_in_transaction_session_timeout 0ms", "lock_timeout 0ms", "statement_timeout 0ms"] as const;

async function limitsOf(db: Db): Promise<readonly string[]> {
  const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
  const { rows } = await sql<{ setting: string }>`
    select name || ' ' || setting || unit as setting from pg_settings where name in (${sql.join(names)}) order by name
  `.execute(db);
  return rows.map(({ setting }) => setting);
}

/** The names of the statements that are prepared on the pool's only connection. */
async function preparedOn(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements order by name`.execute(db);
  return rows.map(({ name }) => name);
}

function openPool(url: string, limits: LimitsPlace): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createPostgresPool({ url, size: 1, limits }) }) });
}

describe("A pool of connections to Postgres", () => {
  const postgres = postgresForFile();

  it("lets the server limit each statement on connections of its own, except for a migration", async () => {
    const url = await postgres.current.createDatabase();
    expect(await findLimitsPlace(url)).toBe("connection");
    const db = openPool(url, "connection");
    expect(await limitsOf(db)).toEqual(limited);
    const inMigration = await db.transaction().execute(async (transaction) => {
      await postgresDialect.prepareMigration(transaction, 0);
      return await limitsOf(transaction);
    });
    expect(inMigration).toEqual([limited[0], ...unlimited.slice(1)]);
    await db.destroy();
  });

  it("lets the server limit each transaction behind a pooler that refuses settings, and leaves the connection without any", async () => {
    const pooler = await startWatchedProxy(await postgres.current.createDatabase(), { refuses: true });
    expect(await findLimitsPlace(pooler.url)).toBe("transaction");
    const db = openPool(pooler.url, "transaction");
    expect(await db.transaction().execute(limitsOf)).toEqual(limited);
    expect(await limitsOf(db)).toEqual(unlimited);
    await db.destroy();
    pooler.stop();
  });

  it("leaves single statements to the role behind such a pooler: the log reports a role without a limit", async () => {
    const directUrl = await postgres.current.createDatabase();
    const pooler = await startWatchedProxy(directUrl, { refuses: true });
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
    const open = async () => {
      await (await openPostgresStorage({ url: pooler.url, directUrl, instanceId: "here", log })).close();
    };
    await open();
    expect(warnings).toEqual([expect.stringMatching(/alter role … set statement_timeout = '25s'$/)]);
    await queryPostgres(directUrl, "alter role current_user set statement_timeout = '25s'");
    await open();
    expect(warnings).toHaveLength(1);
    await queryPostgres(directUrl, "alter role current_user reset statement_timeout");
    pooler.stop();
  });

  it("prepares a repeated statement on connections of its own, and none behind a pooler", async () => {
    const url = await postgres.current.createDatabase();
    for (const [limits, names] of [
      ["connection", ["nitka_1"]],
      ["transaction", []],
    ] as const) {
      const db = openPool(url, limits);
      for (let n = 0; n < 5; n += 1) await sql`select ${n}::integer as n`.execute(db);
      await sql`select ${1}::integer as once`.execute(db);
      expect(await preparedOn(db)).toEqual(names);
      await db.destroy();
    }
  });

  it("prepares no statement with all columns of a table, which a migration may change", async () => {
    const db = openPool(await postgres.current.createDatabase(), "connection");
    await sql`create table thing (n integer)`.execute(db);
    for (const added of ["a", "b", "c", "d"]) {
      expect((await sql`select * from thing where n = ${1}`.execute(db)).rows).toEqual([]);
      await sql`alter table thing add column ${sql.id(added)} integer`.execute(db);
    }
    await db.destroy();
  });

  it("is unavailable once after a column of a prepared statement was changed to another type, and works again", async () => {
    const db = openPool(await postgres.current.createDatabase(), "connection");
    await sql`create table thing (n integer)`.execute(db);
    const read = () => sql`select n from thing where n = ${1}`.execute(db);
    for (let n = 0; n < 5; n += 1) await read();
    await sql`alter table thing alter column n type bigint`.execute(db);
    await expect(read()).rejects.toThrow(StorageUnavailableError);
    expect((await read()).rows).toEqual([]);
    await db.destroy();
  });

  it("names no statement any more when one that it has prepared is missing, as behind a hidden pooler", async () => {
    const db = openPool(await postgres.current.createDatabase(), "connection");
    const read = () => sql`select ${1}::integer as n`.execute(db);
    for (let n = 0; n < 5; n += 1) await read();
    await sql`deallocate all`.execute(db);
    await expect(read()).rejects.toThrow(StorageUnavailableError);
    for (let n = 0; n < 5; n += 1) expect((await read()).rows).toEqual([{ n: 1 }]);
    expect(await preparedOn(db)).toEqual([]);
    await db.destroy();
  });

  it("waits no longer than it is told for a server that does not answer", async () => {
    const server = createServer(() => undefined).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const pool = createPostgresPool({ url: `postgres://127.0.0.1:${port}/nobody`, size: 1, waitMs: 50 });
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    const start = performance.now();
    await expect(sql`select 1`.execute(db)).rejects.toThrow(StorageUnavailableError);
    expect(performance.now() - start).toBeLessThan(4_000);
    await db.destroy();
  });

  it("sends the statements of one step in one write", async () => {
    const db = openPool(await postgres.current.createDatabase(), "connection");
    await limitsOf(db);
    const writes = [vi.spyOn(Socket.prototype, "_write"), vi.spyOn(Socket.prototype, "_writev")];
    onTestFinished(() => writes.forEach((spy) => spy.mockRestore()));
    const statements = [1, 2, 3].map((n) => sql`select ${n}::integer as n`.compile(db));
    const rows = await db.getExecutor().provideConnection((connection) => postgresDialect.send(connection, statements));
    expect(rows).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    // They are written through pg's own stream: another version of pg may keep it elsewhere.
    expect(writes.map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
    await db.destroy();
  });
});

/** A message of PostgreSQL's protocol (its documentation, section 54.7): a type, a length, a body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const AUTHENTICATION_OK = message("R", Buffer.alloc(4));
const READY_FOR_QUERY = message("Z", Buffer.from("I"));
const SHUT_DOWN = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"));

it("a connection that is ended in the packet that makes it ready does not end the process", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([AUTHENTICATION_OK, READY_FOR_QUERY, SHUT_DOWN])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const pool = createPostgresPool({ url: `postgres://nitka@127.0.0.1:${port}/nitka`, size: 1 });
  try {
    const client = await pool.connect();
    await expect(client.query("select 1", [])).rejects.toThrow(StorageUnavailableError);
    client.release();
  } finally {
    await pool.end();
    server.close();
  }
});
