import { Client } from "pg";
import { explainedPostgresError } from "./postgres-error.ts";
import type { StorageLog } from "./storage.ts";

export interface PostgresListenerOptions {
  readonly url: string;
  /** Names that contain no quotes. */
  readonly channels: readonly string[];
  readonly log: StorageLog;
  readonly onNotification: (payload: string) => void;
}

/** Milliseconds before each attempt to reconnect; the last one repeats. */
const RETRY_MS = [100, 250, 500, 1000, 2000];

/**
 * Milliseconds between two checks whether the connection is alive. A network may drop a connection without notifying
 * either end, and a connection that only listens sends nothing that would reveal it.
 */
const CHECK_MS = 30_000;

/** The most milliseconds that Postgres may take to answer on this connection, which does nothing else. */
const ANSWER_MS = 5000;

export interface PostgresListener {
  /** Whether it is listening now. */
  readonly listening: boolean;
  readonly stop: () => Promise<void>;
}

/**
 * Listens to channels of Postgres on a connection of its own, and reconnects when the connection is lost. Notifications
 * sent in the meantime are lost. Resolves when it is listening for the first time.
 */
export async function listenToPostgres(options: PostgresListenerOptions): Promise<PostgresListener> {
  const { log } = options;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let attempts = 0;
  let listening = false;
  let stopped = false;

  async function listen(): Promise<void> {
    const connection = new Client({
      connectionString: options.url,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: "nitka listener",
    });
    client = connection;
    connection.on("notification", ({ payload }) => options.onNotification(payload ?? ""));
    connection.on("error", () => undefined);
    try {
      await connection.connect();
      await connection.query(options.channels.map((channel) => `listen "${channel}"`).join("; "));
    } catch (error) {
      await connection.end().catch(() => undefined);
      throw explainedPostgresError(error);
    }
    // `end` is emitted for every connection, also for a broken one after its `error`.
    connection.once("end", reconnect);
    if (attempts > 0) log.info({ attempts }, "LISTEN on Postgres works again");
    attempts = 0;
    listening = true;
    checkLater(connection);
  }

  function checkLater(connection: Client): void {
    if (stopped) return;
    timer = setTimeout(() => {
      connection.query("select 1").then(
        () => checkLater(connection),
        () => connection.connection.stream.destroy(),
      );
    }, CHECK_MS);
    timer.unref();
  }

  function reconnect(): void {
    listening = false;
    clearTimeout(timer);
    if (stopped) return;
    log.warn({}, "the connection that listens to Postgres is lost: other instances' runs are polled until it is back");
    retry();
  }

  function retry(): void {
    if (stopped) return;
    const wait = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)];
    attempts += 1;
    timer = setTimeout(() => {
      listen().catch(retry);
    }, wait);
    timer.unref();
  }

  await listen();
  return {
    get listening() {
      return listening;
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      // If the network has dropped the connection, `end` gets no answer either.
      const late = setTimeout(() => client?.connection.stream.destroy(), ANSWER_MS);
      await client?.end().catch(() => undefined);
      clearTimeout(late);
    },
  };
}
