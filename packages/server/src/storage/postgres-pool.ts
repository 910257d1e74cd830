import { Client, Pool } from "pg";
import type { PoolClient } from "pg";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { explainedPostgresError } from "./postgres-error.ts";
import { storableText } from "./storable-text.ts";
import { StorageUnavailableError } from "./storage.ts";

export interface PostgresPoolOptions {
  readonly url: string;
  /** Connections at most. */
  readonly size: number;
  /** Whether queries may take as long as they need, as migrations do. */
  readonly patient?: boolean;
  /** See `findLimitsPlace`: with each transaction unless given, which works everywhere. */
  readonly limits?: LimitsPlace;
  /** Told how many milliseconds a query waited for its connection. */
  readonly onConnect?: ((ms: number) => void) | undefined;
}

/** A pool, and how many queries wait for one of its connections. */
export type ObservedPostgresPool = PostgresPool & { readonly waiting: number };

/** The tables' own schema: a database that holds other things too keeps them apart. */
export const POSTGRES_SCHEMA = "nitka";

/** Milliseconds to wait for a connection, and for the answer to a query. */
const CONNECT_MS = 5000;
const QUERY_MS = 30_000;

/**
 * Milliseconds after which the server gives up a statement, a wait for a lock, and a transaction whose client is silent.
 * The client's own time-out does not free the locks of a connection that was cut without a word.
 */
const LIMITS = { statement_timeout: 25_000, lock_timeout: 10_000, idle_in_transaction_session_timeout: 30_000 };

/**
 * `connection`: the limits hold for everything on a connection, and cost nothing. `transaction`: they are set when a
 * transaction begins, for it alone; a single statement has those of its role.
 */
export type LimitsPlace = "connection" | "transaction";

/** In one round trip: a statement that has no parameters may hold several. */
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
    // What else may be wrong with the address, the connections that follow say.
    return "transaction";
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Connections to Postgres in the shape that Kysely asks for. A query that finds its connection lost, or gets none,
 * rejects with a `StorageUnavailableError`; the next one gets a new connection.
 */
export function createPostgresPool(options: PostgresPoolOptions): ObservedPostgresPool {
  const { url, size, patient = false, limits = "transaction", onConnect } = options;
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    ...(patient ? {} : { query_timeout: QUERY_MS }),
    ...(limits === "connection" ? LIMITS : {}),
    // What is sent at one go does not wait for one another's answers.
    pipeline: true,
    keepAlive: true,
    application_name: "nitka",
  });
  // A connection that breaks while nobody uses it says so here, and is replaced when somebody needs one.
  pool.on("error", () => undefined);
  // Kysely knows its connections by their clients: each keeps its one.
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();
  const begin = limits === "connection" ? "begin" : BEGIN_LIMITED;

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
      const known = clients.get(client);
      if (known) return known;
      const wrapped = pooledClient(client, begin);
      clients.set(client, wrapped);
      return wrapped;
    },
  };
}

function pooledClient(client: PoolClient, begin: string): PostgresPoolClient {
  let broken = false;
  const gather = gatherWrites(client);
  // One that breaks in the middle of a transaction, between two queries, would end the process with its event.
  client.on("error", () => {
    broken = true;
  });
  const query = async (text: string, parameters: readonly unknown[]) => {
    gather();
    try {
      return await client.query(text === "begin" ? begin : text, parameters.map(storableText));
    } catch (error) {
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

/** Queries of one turn of the loop leave in one write: a call of the system costs as much as making a small query. */
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
