import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import type { TemporaryPostgres } from "@nitka/server/temporary-postgres";
import type { Notified } from "./delay-proxy.ts";
import { startProcess } from "./start-process.ts";

/** A temporary Postgres behind a proxy that adds latency. */
export interface DistantPostgres extends TemporaryPostgres {
  /** The notifications that it has sent since its start. */
  notified(): Promise<Notified>;
}

/** @param delayMs the delay of each chunk in each direction */
export async function startDistantPostgres(delayMs: number): Promise<DistantPostgres> {
  const postgres = await startTemporaryPostgres();
  const proxy = startProcess(new URL("./delay-proxy.ts", import.meta.url));
  let port: number | undefined;
  return {
    ...postgres,
    createDatabase: async () => {
      const url = new URL(await postgres.createDatabase());
      port ??= await proxy.call<number>("listen", Number(url.port), delayMs);
      url.port = String(port);
      return url.href;
    },
    notified: () => proxy.call<Notified>("notified"),
    stop: async () => {
      await proxy.stop();
      await postgres.stop();
    },
  };
}
