import type { Notified } from "./delay-proxy.ts";
import type { Place } from "./place.ts";

/** A temporary Postgres behind a proxy that adds latency. */
export interface DistantPostgres {
  createDatabase(): Promise<string>;
  /** The notifications that it has sent since its start. */
  notified(): Promise<Notified>;
}

/** @param delayMs the delay of each chunk in each direction */
export async function startDistantPostgres(place: Place, delayMs: number): Promise<DistantPostgres> {
  const postgres = await place.postgres();
  const proxy = place.process("servers/delay-proxy.ts");
  let port: number | undefined;
  return {
    createDatabase: async () => {
      const url = new URL(await postgres.createDatabase());
      port ??= await proxy.call<number>("listen", Number(url.port), delayMs);
      url.port = String(port);
      return url.href;
    },
    notified: () => proxy.call<Notified>("notified"),
  };
}
