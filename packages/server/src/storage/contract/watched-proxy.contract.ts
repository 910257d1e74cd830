import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface WatchedProxy {
  /** The database's address through the proxy. */
  readonly url: string;
  /** The data from clients since the last call, one text per packet. */
  packets(): readonly string[];
  /** Whether each answer of the database is lost from now on, together with its connection. */
  loseAnswers(lost: boolean): void;
  /**
   * Stops the currently open connections from passing anything on, even their ends, like a network that has dropped
   * them.
   */
  forgetConnections(): void;
  stop(): void;
}

/** @param refuses whether to refuse connections that bring a time limit, with pgbouncer's message */
export async function startWatchedProxy(
  databaseUrl: string,
  { refuses }: { readonly refuses: boolean },
): Promise<WatchedProxy> {
  const target = new URL(databaseUrl);
  let packets: string[] = [];
  let areAnswersLost = false;
  let forgotten: readonly Socket[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const database = connect(Number(target.port), target.hostname);
    let isFirst = true;
    database.on("data", (answer) => {
      if (forgotten.includes(database)) return;
      if (areAnswersLost) client.destroy();
      else client.write(answer);
    });
    database.on("close", () => {
      if (!forgotten.includes(database)) client.destroy();
    });
    client.on("data", (packet) => {
      if (forgotten.includes(client)) return;
      const text = packet.toString("latin1");
      packets.push(text);
      if (refuses && isFirst && text.includes("statement_timeout")) client.end(REFUSAL);
      else database.write(packet);
      isFirst = false;
    });
    client.on("end", () => {
      if (!forgotten.includes(client)) client.end();
    });
    client.on("close", () => {
      if (!forgotten.includes(client)) database.destroy();
    });
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    packets: () => {
      const seen = packets;
      packets = [];
      return seen;
    },
    loseAnswers: (lost) => {
      areAnswersLost = lost;
    },
    forgetConnections: () => {
      forgotten = [...sockets];
    },
    stop: () => {
      server.close();
      for (const socket of forgotten) socket.destroy();
    },
  };
}

/** An ErrorResponse of Postgres' protocol: a type byte, a length that includes itself, fields that end with zeros. */
const REFUSAL = errorResponse("SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0");

function errorResponse(fields: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, Buffer.from(fields)]);
}
