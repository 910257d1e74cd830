import { Client } from "pg";
import { explainedPostgresError } from "./postgres-error.ts";

export interface PostgresListenerOptions {
  readonly url: string;
  readonly channel: string;
  readonly onNotification: (payload: string) => void;
}

/** Milliseconds before the first and the later attempts to connect again. */
const RETRY_MS = [100, 250, 500, 1000, 2000];

/**
 * Listens to a channel of Postgres on a connection of its own, and makes a new one whenever that is lost. What is
 * notified in between is missed. Resolves with its stop when it listens for the first time.
 */
export async function listenToPostgres(options: PostgresListenerOptions): Promise<() => Promise<void>> {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let attempts = 0;
  let stopped = false;

  async function listen(): Promise<void> {
    const connection = new Client({
      connectionString: options.url,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: "nitka listener",
    });
    client = connection;
    connection.on("notification", ({ payload }) => options.onNotification(payload ?? ""));
    connection.on("error", () => undefined);
    try {
      await connection.connect();
      await connection.query(`listen ${options.channel}`);
    } catch (error) {
      await connection.end().catch(() => undefined);
      throw explainedPostgresError(error);
    }
    // Told after every end, also one that an error has announced; one that ended meanwhile tells it no more.
    connection.once("end", retry);
    attempts = 0;
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
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client?.end().catch(() => undefined);
  };
}
