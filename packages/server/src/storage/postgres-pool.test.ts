import { Kysely, PostgresDialect, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { queryPostgres } from "./contract/query-postgres.contract.ts";
import { startWatchedProxy } from "./contract/watched-proxy.contract.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createPostgresPool, findLimitsPlace } from "./postgres-pool.ts";
import type { LimitsPlace } from "./postgres-pool.ts";
import { openPostgresStorage } from "./postgres.ts";
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

function openPool(url: string, limits: LimitsPlace): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createPostgresPool({ url, size: 1, limits }) }) });
}

describe("A pool of connections to Postgres", () => {
  const postgres = postgresForFile();

  it("has the server limit each statement on connections of its own, except a migration", async () => {
    const url = await postgres.current.createDatabase();
    expect(await findLimitsPlace(url)).toBe("connection");
    const db = openPool(url, "connection");
    expect(await limitsOf(db)).toEqual(limited);
    const inMigration = await db.transaction().execute(async (transaction) => {
      await postgresDialect.prepareMigration(transaction);
      return await limitsOf(transaction);
    });
    expect(inMigration).toEqual([limited[0], ...unlimited.slice(1)]);
    await db.destroy();
  });

  it("has the server limit each transaction behind a pooler that refuses settings, and leaves the connection without any", async () => {
    const pooler = await startWatchedProxy(await postgres.current.createDatabase(), { refuses: true });
    expect(await findLimitsPlace(pooler.url)).toBe("transaction");
    const db = openPool(pooler.url, "transaction");
    expect(await db.transaction().execute(limitsOf)).toEqual(limited);
    expect(await limitsOf(db)).toEqual(unlimited);
    await db.destroy();
    pooler.stop();
  });

  it("leaves single statements to the role behind such a pooler: the log says so where the role has no limit", async () => {
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

  it("sends the statements of one step in one packet", async () => {
    const proxy = await startWatchedProxy(await postgres.current.createDatabase(), { refuses: false });
    const db = openPool(proxy.url, "connection");
    await limitsOf(db);
    proxy.packets();
    const statements = [1, 2, 3].map((n) => sql`select ${n}::integer as n`.compile(db));
    const rows = await db.getExecutor().provideConnection((connection) => postgresDialect.send(connection, statements));
    expect(rows).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    // It takes pg's own stream: another version of pg may keep it elsewhere.
    expect(proxy.packets()).toHaveLength(1);
    await db.destroy();
    proxy.stop();
  });
});
