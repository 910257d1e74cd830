import { startTemporaryPostgres } from "@nitka/server/testing";
import type { TemporaryPostgres } from "@nitka/server/testing";
import type { Notified } from "./delay-proxy.ts";
import { startProcess } from "./start-process.ts";

/** A Postgres of its own, some milliseconds away. */
export interface DistantPostgres extends TemporaryPostgres {
  /** What it has notified its clients of since its start. */
  notified(): Promise<Notified>;
}

/** @param delayMs what each chunk waits on its way, in either direction */
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
