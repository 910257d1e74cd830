import type { Writable } from "node:stream";
import { Pool } from "pg";
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
 * How a transaction begins: the server gives it up, with its locks, when its client has gone without a word. Set for
 * the transaction alone, for a pooler such as pgbouncer may give the connection to others after it; and in the same
 * round trip, for a statement that has no parameters may hold several.
 */
const BEGIN =
  "begin; set local statement_timeout = 25000; set local lock_timeout = 10000; " +
  "set local idle_in_transaction_session_timeout = 30000";

/**
 * Connections to Postgres in the shape that Kysely asks for. A query that finds its connection lost, or gets none,
 * rejects with a `StorageUnavailableError`; the next one gets a new connection. Connections have no state of their own.
 */
export function createPostgresPool(options: PostgresPoolOptions): ObservedPostgresPool {
  const { url, size, patient = false, onConnect } = options;
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    ...(patient ? {} : { query_timeout: QUERY_MS }),
    // What is sent at one go does not wait for one another's answers.
    pipeline: true,
    keepAlive: true,
    application_name: "nitka",
  });
  // A connection that breaks while nobody uses it says so here, and is replaced when somebody needs one.
  pool.on("error", () => undefined);
  // Kysely knows its connections by their clients: each keeps its one.
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();

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
      const wrapped = pooledClient(client);
      clients.set(client, wrapped);
      return wrapped;
    },
  };
}

function pooledClient(client: PoolClient): PostgresPoolClient {
  let broken = false;
  const gather = gatherWrites(client);
  // One that breaks in the middle of a transaction, between two queries, would end the process with its event.
  client.on("error", () => {
    broken = true;
  });
  const query = async (text: string, parameters: readonly unknown[]) => {
    gather();
    try {
      return await client.query(text === "begin" ? BEGIN : text, parameters.map(storableText));
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
  // The types do not tell of it.
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection;
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
