import { Kysely, PostgresDialect, sql } from "kysely";
import type { PostgresPool } from "kysely";
import type { FileStore } from "./files/file-store.ts";
import type { Storage, StorageLog } from "./storage.ts";
import { StorageUnavailableError } from "./storage.ts";
import { openPostgresBus } from "./postgres-bus.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createPostgresPool, findLimitsPlace, POSTGRES_SCHEMA } from "./postgres-pool.ts";
import { checkSchema, migrate, SchemaVersionError } from "./sql/migrations/migrate.ts";
import type { Schema } from "./sql/schema.ts";
import type { Db } from "./sql/sql-dialect.ts";
import { createSqlStorage } from "./sql/sql-storage.ts";

export interface PostgresStorageOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** This process among those that share the database: different in each, and at each start. */
  readonly instanceId: string;
  /** The database's own address, where `url` is a pooler's: what listens cannot go through one. `url` without it. */
  readonly directUrl?: string;
  /** Connections for queries at most: 10 unless given. Three more are for run logs, heartbeats, and listening. */
  readonly connections?: number;
  /** Told what the storage survives: a lost connection and its return. */
  readonly log?: StorageLog;
  /**
   * Whether to bring an older schema up to date (the default). `false` changes no schema, and needs no right to: one
   * that is older than this version needs is refused, as one that is newer always is, and is for `migratePostgres`.
   */
  readonly migrate?: boolean;
  /** Where files are kept, the same on every instance; in the database unless named. */
  readonly files?: FileStore | undefined;
}

/**
 * Keeps everything in Postgres, in a schema `nitka` of its own: for any number of instances on one database.
 *
 * @throws {StorageUnavailableError} when the database cannot be reached, with the reason and what to do
 *
 * @example const storage = await openPostgresStorage({ url: "postgres://nitka@db/nitka", instanceId: crypto.randomUUID() });
 */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const { url, directUrl = url, instanceId, connections = 10, log: storageLog = silentStorageLog } = options;
  const { files, migrate: mayMigrate = true } = options;
  const where = placeOf(url);
  placeOf(directUrl);
  let waitedMs = 0;
  const onConnect = (ms: number) => {
    waitedMs += ms;
  };
  const limits = await findLimitsPlace(url);
  const directLimits = directUrl === url ? limits : await findLimitsPlace(directUrl);
  const pool = createPostgresPool({ url, size: connections, limits, onConnect });
  const db = onPool(pool);
  const log = onPool(createPostgresPool({ url, size: 1, limits }));
  const pulse = onPool(createPostgresPool({ url: directUrl, size: 1, limits: directLimits }));
  const closePools = async () => {
    await Promise.all([db.destroy(), log.destroy(), pulse.destroy()]);
  };
  try {
    await (mayMigrate ? bringUpToDate(directUrl) : withSchemaDb(directUrl, (db) => checkSchema(db, postgresDialect)));
    if (limits === "transaction" && !(await hasOwnLimit(db))) storageLog.warn({}, WITHOUT_LIMIT);
    const bus = await openPostgresBus({ url: directUrl, instanceId, db: log, log: storageLog });
    const close = async () => {
      await bus.close();
      await closePools();
    };
    const figures = () => ({ waiting: pool.waiting, waitedMs, listening: bus.listening });
    return createSqlStorage({ db, log, pulse, dialect: postgresDialect, bus, instanceId, files, figures, close });
  } catch (error) {
    await closePools();
    throw explained(error, where);
  }
}

/**
 * Brings the schema of a Postgres database up to date, and makes it where there is none. Only this needs the right to
 * change it. Several at once take each step once.
 *
 * @param options.url the database's own address, not a pooler's
 * @returns the names of the steps that it took: none when the schema was up to date
 * @throws {StorageUnavailableError} when the database cannot be used, or is of a later version, with what to do
 */
export async function migratePostgres({ url }: Pick<PostgresStorageOptions, "url">): Promise<readonly string[]> {
  const where = placeOf(url);
  try {
    return await bringUpToDate(url);
  } catch (error) {
    throw explained(error, where);
  }
}

function explained(error: unknown, where: string): unknown {
  if (!(error instanceof StorageUnavailableError) || error instanceof SchemaVersionError) return error;
  const advice = isForbidden(error.cause)
    ? "Give its role that right, or let another role run `nitka migrate`."
    : "Start it, or correct the address, the name or the password.";
  return new StorageUnavailableError(
    `The Postgres database at ${where} cannot be used, and nothing can be kept without it. ${error.message} ${advice}`,
    { cause: error },
  );
}

const silentStorageLog: StorageLog = { info: () => undefined, warn: () => undefined };

const WITHOUT_LIMIT =
  "the pooler in front of Postgres passes no statement_timeout on, and the role has none: a statement outside of a " +
  "transaction goes on after its client is gone. Give it one: alter role … set statement_timeout = '25s'";

/** Whether the server limits a single statement by itself: by a setting of the role, or of the database. */
async function hasOwnLimit(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    setting: string;
  }>`select setting from pg_settings where name = 'statement_timeout'`.execute(db);
  return Number(rows[0]?.setting) > 0;
}

/** Postgres' code for what the role may not do. */
const FORBIDDEN = "42501";

function isForbidden(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === FORBIDDEN;
}

/** Names the schema in every query: a connection that remembers it would be of no use behind a pooler. */
function onPool(pool: PostgresPool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }).withSchema(POSTGRES_SCHEMA);
}

function bringUpToDate(url: string): Promise<readonly string[]> {
  return withSchemaDb(url, async (db) => {
    await createSchema(db);
    return await migrate(db, postgresDialect);
  });
}

/** One connection on which queries may take as long as they need. */
async function withSchemaDb<T>(url: string, work: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: createPostgresPool({ url, size: 1, patient: true }) }),
  });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Looks first: whoever may use a schema that is there need not be allowed to make one. */
async function createSchema(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await postgresDialect.lock("nitka/schema")?.execute(transaction);
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
