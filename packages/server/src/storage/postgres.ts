import { Kysely, PostgresDialect, sql } from "kysely";
import type { PostgresPool } from "kysely";
import { errorCode } from "./error-code.ts";
import type { FileStore } from "./files/file-store.ts";
import type { Storage, StorageLog } from "./storage.ts";
import { SchemaVersionError, silentStorageLog, StorageUnavailableError } from "./storage.ts";
import { openPostgresBus } from "./postgres-bus.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createPostgresPool, findLimitsPlace, POSTGRES_SCHEMA } from "./postgres-pool.ts";
import { checkSchema, migrate } from "./sql/migrations/migrate.ts";
import type { Schema } from "./sql/schema.ts";
import type { Db } from "./sql/sql-dialect.ts";
import { createSqlStorage } from "./sql/sql-storage.ts";

export interface PostgresStorageOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The id of this process among those that share the database. Each process needs a new one at each start. */
  readonly instanceId: string;
  /**
   * The address of the database itself when `url` is a pooler's: LISTEN does not work through a pooler. Default: `url`.
   */
  readonly directUrl?: string;
  /**
   * The most connections for queries. Default: 10. Three more serve event logs, heartbeats and LISTEN. The desk opens
   * up to two more when it is used.
   */
  readonly connections?: number;
  /** Receives lost and restored connections, and listeners that fail. Default: none. */
  readonly log?: StorageLog;
  /**
   * Whether to migrate an older schema. Default: true. With `false` the role needs no right to change the schema: an
   * older schema is refused, and `migratePostgres` has to migrate it. A newer schema that this program cannot use is
   * always refused.
   */
  readonly migrate?: boolean;
  /** The store for files. All instances must use the same one. Default: the database. */
  readonly files?: FileStore | undefined;
}

/**
 * Opens a storage in Postgres, in the schema `nitka`. Any number of instances can share one database.
 *
 * @throws {StorageUnavailableError} when the database cannot be reached; its message says why and what to do
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
  const pulse = onPool(createPostgresPool({ url: directUrl, size: 1, limits: directLimits, waitMs: PULSE_MS }));
  const desk = onPool(createPostgresPool({ url, size: DESK_CONNECTIONS, limits }));
  const closePools = async () => {
    await Promise.all([db.destroy(), log.destroy(), pulse.destroy(), desk.destroy()]);
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
    return createSqlStorage({
      db,
      log,
      pulse,
      desk,
      dialect: postgresDialect,
      bus,
      instanceId,
      files,
      figures,
      logger: storageLog,
      close,
    });
  } catch (error) {
    await closePools();
    throw explained(error, where);
  }
}

/**
 * Migrates the schema of a Postgres database, and creates it if needed. Only this function needs the right to change
 * the schema. When several processes call it at once, one runs the migrations and the others wait.
 *
 * @param options.url the address of the database itself, not of a pooler
 * @returns the names of the migrations that ran: none when the schema was up to date
 * @throws {StorageUnavailableError} when the database cannot be used or has a newer schema; its message says what to do
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
  const advice =
    errorCode(error.cause) === FORBIDDEN
      ? "Give its role that right, or let another role run `nitka migrate`."
      : "Start it, or correct the address, the name or the password.";
  return new StorageUnavailableError(
    `The Postgres database at ${where} cannot be used, and the server cannot run without it. ${error.message} ${advice}`,
    { cause: error },
  );
}

/**
 * A heartbeat on a connection that broke unnoticed fails after this many milliseconds. The next heartbeat uses a new
 * connection, before this instance counts as stale.
 */
const PULSE_MS = 3000;

/**
 * The desk's queries read many rows. A pool of their own keeps the visitors' connections free, however often the desk
 * is reloaded.
 */
const DESK_CONNECTIONS = 2;

const WITHOUT_LIMIT =
  "the pooler in front of Postgres does not pass on statement_timeout, and the role has none: a statement outside a " +
  "transaction continues after its client is gone. Set one: alter role … set statement_timeout = '25s'";

/** Whether the server already limits a single statement, by a setting of the role or of the database. */
async function hasOwnLimit(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    setting: string;
  }>`select setting from pg_settings where name = 'statement_timeout'`.execute(db);
  return Number(rows[0]?.setting) > 0;
}

/** Postgres' code insufficient_privilege. */
const FORBIDDEN = "42501";

/**
 * Every query names the schema: behind a pooler, a `search_path` that is set on one connection does not apply to the
 * next query.
 */
function onPool(pool: PostgresPool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }).withSchema(POSTGRES_SCHEMA);
}

function bringUpToDate(url: string): Promise<readonly string[]> {
  return withSchemaDb(url, async (db) => {
    await createSchema(db);
    return await migrate(db, postgresDialect);
  });
}

/** Runs `work` on a connection without time limits. */
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

/** Creates the schema only if there is none: the role may lack the right to create one. */
async function createSchema(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await postgresDialect.lock("nitka/schema")?.execute(transaction);
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${POSTGRES_SCHEMA}`.execute(transaction);
    if (rows.length === 0) await sql`create schema ${sql.id(POSTGRES_SCHEMA)}`.execute(transaction);
  });
}

/** The address without its password, for messages. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) {
    throw new TypeError(
      "The address of a Postgres database must look like postgres://user:password@host:5432/database, got something else.",
    );
  }
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
