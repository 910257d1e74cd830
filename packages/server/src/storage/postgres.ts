import { Kysely, PostgresDialect, sql } from "kysely";
import type { Storage } from "./storage.ts";
import { StorageUnavailableError } from "./storage.ts";
import { openPostgresBus } from "./postgres-bus.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createPostgresPool, POSTGRES_SCHEMA } from "./postgres-pool.ts";
import { SchemaVersionError, migrate } from "./sql/migrations/migrate.ts";
import type { Schema } from "./sql/schema.ts";
import type { Db } from "./sql/sql-dialect.ts";
import { createSqlStorage } from "./sql/sql-storage.ts";

export interface PostgresStorageOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** This process among those that share the database: different in each, and at each start. */
  readonly instanceId: string;
  /** Connections for queries at most, beside one for run logs and one that listens. */
  readonly connections?: number;
  /** Told how many milliseconds each query took, waiting and network included. */
  readonly onQuery?: (ms: number) => void;
}

/**
 * Keeps everything in Postgres, in a schema `nitka` of its own: for any number of instances on one database.
 *
 * @throws {StorageUnavailableError} when the database cannot be reached, with the reason and what to do
 *
 * @example const storage = await openPostgresStorage({ url: "postgres://nitka@db/nitka", instanceId: crypto.randomUUID() });
 */
export async function openPostgresStorage({
  url,
  instanceId,
  connections = 10,
  onQuery,
}: PostgresStorageOptions): Promise<Storage> {
  const where = placeOf(url);
  const db = connect(url, connections, onQuery);
  const log = connect(url, 1, onQuery);
  const pulse = connect(url, 1, onQuery);
  const closePools = async () => {
    await Promise.all([db.destroy(), log.destroy(), pulse.destroy()]);
  };
  try {
    await createSchema(db);
    await migrate(db, postgresDialect);
    const bus = await openPostgresBus({ url, instanceId, db: log });
    const close = async () => {
      await bus.close();
      await closePools();
    };
    return createSqlStorage({ db, log, pulse, dialect: postgresDialect, bus, close });
  } catch (error) {
    await closePools();
    if (!(error instanceof StorageUnavailableError) || error instanceof SchemaVersionError) throw error;
    throw new StorageUnavailableError(
      `The Postgres database at ${where} cannot be used, and nothing can be kept without it. ${error.message} ` +
        "Start it, or correct the address, the name or the password.",
      { cause: error },
    );
  }
}

function connect(url: string, size: number, onQuery: ((ms: number) => void) | undefined): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createPostgresPool({ url, size, onQuery }) }) });
}

/** Looks first: whoever may use a schema that is there need not be allowed to make one. */
async function createSchema(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await postgresDialect.lock(transaction, "nitka/schema");
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${POSTGRES_SCHEMA}`.execute(transaction);
    if (rows.length === 0) await sql`create schema ${sql.id(POSTGRES_SCHEMA)}`.execute(transaction);
  });
}

/** The address for people: without the password. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) {
    throw new TypeError(
      "The address of a Postgres database must look like postgres://user:password@host:5432/database, got something else.",
    );
  }
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
