import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { Fault } from "./fault.ts";

/** A way to the database on which a packet of its answers may be lost with its connection, or come late. */
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, stop: () => void server.close() };
}
