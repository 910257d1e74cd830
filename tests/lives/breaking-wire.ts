import { connect, createServer } from "node:net";
import { listenLocally } from "../../scripts/listen-locally.mjs";
import type { Fault } from "./fault.ts";

/** A connection to the database on which a packet of its answers may be late, or lost together with the connection. */
export async function startBreakingWire(
  databaseUrl: string,
  faultOfPacket: () => Pick<Fault, "how" | "ms"> | undefined,
): Promise<{ readonly url: string; stop(): void }> {
  const target = new URL(databaseUrl);
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    database.on("data", (answer) => {
      const fault = faultOfPacket();
      if (!fault) client.write(answer);
      else if (fault.how === "lost") client.destroy();
      else {
        database.pause();
        setTimeout(() => {
          client.write(answer);
          database.resume();
        }, fault.ms);
      }
    });
    database.on("close", () => client.destroy());
    client.on("data", (packet) => database.write(packet));
    client.on("close", () => database.destroy());
    for (const socket of [client, database]) socket.on("error", () => undefined);
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${await listenLocally(server)}`;
  return { url: url.href, stop: () => void server.close() };
}
