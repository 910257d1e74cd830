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
  /** Whether queries have no time limit. Migrations need this. */
  readonly patient?: boolean;
  /** The most milliseconds to wait for a connection, and for the result of a query. Defaults: 5,000 and 30,000. */
  readonly waitMs?: number;
  /** See `findLimitsPlace`. Default: `transaction`, which works everywhere. */
  readonly limits?: LimitsPlace;
  /** Called with the milliseconds that a query waited for its connection. */
  readonly onConnect?: ((ms: number) => void) | undefined;
}

/** A pool, and the number of queries that wait for one of its connections. */
export type ObservedPostgresPool = PostgresPool & { readonly waiting: number };

/** The schema of all tables. It separates them from other tables in the same database. */
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
 * Where the time limits are set. `connection`: for everything on a connection, at no cost. `transaction`: at the begin
 * of each transaction, for that transaction only; a single statement has the limits of its role.
 */
export type LimitsPlace = "connection" | "transaction";

/** One round trip: a query without parameters may contain several statements. */
const BEGIN_LIMITED = ["begin", ...Object.entries(LIMITS).map(([name, ms]) => `set local ${name} = ${ms}`)].join("; ");

/**
 * Finds out where the time limits of statements can be set. A pooler in transaction mode gives a connection to many
 * clients: it either refuses a connection that brings settings, as pgbouncer does, or ignores the settings.
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
    // The next connections report any other fault of the address.
    return "transaction";
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * A pool of connections to Postgres with the interface that Kysely needs. A query that loses its connection, or gets
 * none, rejects with a `StorageUnavailableError`. The next query gets a new connection.
 */
export function createPostgresPool(options: PostgresPoolOptions): ObservedPostgresPool {
  const { url, size, patient = false, waitMs, limits = "transaction", onConnect } = options;
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: waitMs ?? CONNECT_MS,
    ...(patient ? {} : { query_timeout: waitMs ?? QUERY_MS }),
    ...(limits === "connection" ? LIMITS : {}),
    // Queries are sent without waiting for the results of earlier ones.
    pipeline: true,
    keepAlive: true,
    application_name: "nitka",
  });
  // A broken idle connection emits its error here. The pool replaces it when a connection is needed.
  pool.on("error", () => undefined);
  const begin = limits === "connection" ? "begin" : BEGIN_LIMITED;
  // A pooler in transaction mode hands the connection, and the statements prepared on it, to other clients.
  const prepared = limits === "connection" && !patient ? createPreparedStatements() : undefined;
  // Kysely identifies a connection by its client object, so a client keeps one wrapper for its whole life. The wrapper
  // is made before the pool stops listening to the client: the packet that makes a connection ready may also end it.
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
  // Without a listener, a connection that breaks between two queries would emit an unhandled error and end the process.
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
    // Kysely's type has an overload for cursors, which nothing here uses.
    query: query as unknown as PostgresPoolClient["query"],
    release: (destroy = false) => client.release(destroy || broken),
  };
}

/**
 * Sends all queries of one turn of the event loop in one write: a system call costs as much as preparing a small query.
 */
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
