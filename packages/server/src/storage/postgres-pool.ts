import { Client, Pool } from "pg";
import type { PoolClient } from "pg";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { explainedPostgresError } from "./postgres-error.ts";
import { createPreparedStatements } from "./prepared-statements.ts";
import type { PreparedStatements } from "./prepared-statements.ts";
import { storableText } from "./sql/storable-text.ts";
import { StorageUnavailableError } from "./storage.ts";

export interface PostgresPoolOptions {
  readonly url: string;
  /** The most connections. */
  readonly size: number;
  /** Whether queries have no time limit, as migrations need. */
  readonly patient?: boolean;
  /** The most milliseconds to wait for a connection, and for the result of a query. Default: 5 and 30 seconds. */
  readonly waitMs?: number;
  /** See `findLimitsPlace`. Default: with each transaction, which works everywhere. */
  readonly limits?: LimitsPlace;
  /** Called with the milliseconds that a query waited for its connection. */
  readonly onConnect?: ((ms: number) => void) | undefined;
}

/** A pool, and how many queries are waiting for one of its connections. */
export type ObservedPostgresPool = PostgresPool & { readonly waiting: number };

/** The schema of all tables, which separates them from others in the same database. */
export const POSTGRES_SCHEMA = "nitka";

/** Milliseconds to wait for a connection, and for the result of a query. */
const CONNECT_MS = 5000;
const QUERY_MS = 30_000;

/**
 * Milliseconds after which the server ends a statement, a wait for a lock, and a transaction whose client is silent. A
 * time-out of the client alone would not release the locks of a connection that broke unnoticed.
 */
const LIMITS = { statement_timeout: 25_000, lock_timeout: 10_000, idle_in_transaction_session_timeout: 30_000 };

/**
 * `connection`: the limits hold for everything on a connection, and cost nothing. `transaction`: they are set when a
 * transaction begins, for it alone; a single statement has those of its role.
 */
export type LimitsPlace = "connection" | "transaction";

/** In one round trip: a query without parameters may have several statements. */
const BEGIN_LIMITED = ["begin", ...Object.entries(LIMITS).map(([name, ms]) => `set local ${name} = ${ms}`)].join("; ");

/**
 * Finds out where the limits of statements can be set. A pooler in transaction mode gives a connection to many clients:
 * it refuses one that brings settings, as pgbouncer does, or leaves them out.
 */
export async function findLimitsPlace(url: string): Promise<LimitsPlace> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, ...LIMITS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ setting: string }>(
      "select setting from pg_settings where name = 'statement_timeout'",
    );
    return Number(rows[0]?.setting) === LIMITS.statement_timeout ? "connection" : "transaction";
  } catch {
    // The next connections report what else may be wrong with the address.
    return "transaction";
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * A pool of connections to Postgres with the interface that Kysely needs. A query whose connection is lost, or that gets
 * none, rejects with a `StorageUnavailableError`; the next query gets a new connection.
 */
export function createPostgresPool(options: PostgresPoolOptions): ObservedPostgresPool {
  const { url, size, patient = false, waitMs, limits = "transaction", onConnect } = options;
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: waitMs ?? CONNECT_MS,
    ...(patient ? {} : { query_timeout: waitMs ?? QUERY_MS }),
    ...(limits === "connection" ? LIMITS : {}),
    // Queries are sent without waiting for the results of those before.
    pipeline: true,
    keepAlive: true,
    application_name: "nitka",
  });
  // An idle connection that breaks emits its error here, and is replaced when it is needed.
  pool.on("error", () => undefined);
  const begin = limits === "connection" ? "begin" : BEGIN_LIMITED;
  // A pooler in transaction mode gives the connection, and what is prepared on it, to other clients.
  const prepared = limits === "connection" && !patient ? createPreparedStatements() : undefined;
  // Kysely identifies a connection by its client object, so a client has one wrapper for its whole life. It is there before
  // the pool stops listening to the client: the packet that makes a connection ready may end it too.
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();
  pool.on("connect", (client) => clients.set(client, pooledClient(client, { begin, prepared })));

  return {
    options: pool.options,
    end: () => pool.end(),
    get waiting() {
      return pool.waitingCount;
    },
    connect: async () => {
      const start = performance.now();
      const client = await pool.connect().catch((error: unknown) => {
        throw explainedPostgresError(error);
      });
      onConnect?.(performance.now() - start);
      return clients.get(client) ?? pooledClient(client, { begin, prepared });
    },
  };
}

function pooledClient(
  client: PoolClient,
  { begin, prepared }: { readonly begin: string; readonly prepared: PreparedStatements | undefined },
): PostgresPoolClient {
  let broken = false;
  const gather = gatherWrites(client);
  // Without a listener, the error of a connection that breaks between two queries would end the process.
  client.on("error", () => {
    broken = true;
  });
  const query = async (text: string, parameters: readonly unknown[]) => {
    gather();
    try {
      const name = parameters.length > 0 ? prepared?.nameOf(text) : undefined;
      const values = parameters.map(storableText);
      return await client.query({ text: text === "begin" ? begin : text, values, ...(name && { name }) });
    } catch (error) {
      prepared?.learn(error);
      const explained = explainedPostgresError(error);
      broken ||= explained instanceof StorageUnavailableError;
      throw explained;
    }
  };
  return {
    // Kysely's type has a second form, for cursors, which nothing here uses.
    query: query as unknown as PostgresPoolClient["query"],
    release: (destroy = false) => client.release(destroy || broken),
  };
}

/** Sends the queries of one turn of the event loop in one write: a system call costs as much as preparing a small query. */
function gatherWrites(client: PoolClient): () => void {
  const { stream } = client.connection;
  let gathering = false;
  return () => {
    if (gathering) return;
    gathering = true;
    stream.cork();
    process.nextTick(() => {
      gathering = false;
      stream.uncork();
    });
  };
}
