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
  readonly onQuery?: ((ms: number) => void) | undefined;
}

/** The tables' own schema: a database that holds other things too keeps them apart. */
export const POSTGRES_SCHEMA = "nitka";

/** Milliseconds to wait for a connection, and for the answer to a query. */
const CONNECT_MS = 5000;
const QUERY_MS = 30_000;

/**
 * Connections to Postgres in the shape that Kysely asks for. A query that finds its connection lost, or gets none,
 * rejects with a `StorageUnavailableError`; the next one gets a new connection.
 */
export function createPostgresPool({ url, size, onQuery }: PostgresPoolOptions): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
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
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw explainedPostgresError(error);
      });
      const known = clients.get(client);
      if (known) return known;
      const wrapped = pooledClient(client, onQuery);
      try {
        await wrapped.query(`set search_path to ${POSTGRES_SCHEMA}`, []);
      } catch (error) {
        wrapped.release(true);
        throw error;
      }
      clients.set(client, wrapped);
      return wrapped;
    },
  };
}

function pooledClient(client: PoolClient, onQuery: ((ms: number) => void) | undefined): PostgresPoolClient {
  let broken = false;
  // One that breaks in the middle of a transaction, between two queries, would end the process with its event.
  client.on("error", () => {
    broken = true;
  });
  const query = async (text: string, parameters: readonly unknown[]) => {
    const start = performance.now();
    try {
      return await client.query(text, parameters.map(storableText));
    } catch (error) {
      const explained = explainedPostgresError(error);
      broken ||= explained instanceof StorageUnavailableError;
      throw explained;
    } finally {
      onQuery?.(performance.now() - start);
    }
  };
  return {
    // Kysely's type has a second form, for cursors, which nothing here uses.
    query: query as unknown as PostgresPoolClient["query"],
    release: (destroy = false) => client.release(destroy || broken),
  };
}
