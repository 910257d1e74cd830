import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { WireFault } from "./fault-plan.ts";

/** A way to the database on which one packet of its answers is lost with its connection, or comes late. */
export async function startBreakingWire(
  databaseUrl: string,
  { nth, how, ms }: WireFault,
  onFault: () => void,
): Promise<{ readonly url: string; stop(): void }> {
  const target = new URL(databaseUrl);
  let packets = 0;
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    database.on("data", (answer) => {
      packets += 1;
      if (packets === nth) onFault();
      if (packets !== nth) client.write(answer);
      else if (how === "lost") client.destroy();
      else {
        database.pause();
        setTimeout(() => {
          client.write(answer);
          database.resume();
        }, ms);
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
