import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SettingsError } from "./settings-error.ts";

export interface Listening {
  /** For people to open. */
  readonly url: string;
  /** Takes no new connections, and closes those that wait for nothing. */
  stopAccepting(): void;
  /** Cuts whatever is still open. */
  closeAll(): void;
}

/** Streams have a ping every 15 s: on a connection without a byte for so long, nobody reads or writes any more. */
const IDLE_MS = 120_000;

/**
 * Listens on an address. `localhost` means both of its addresses: which of the two a client tries first is anyone's guess.
 *
 * @param setting names the port where it cannot be listened on
 * @throws {SettingsError} when the port is taken or the address is not this machine's
 */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
  idleMs = IDLE_MS,
  setting = "PORT",
): Promise<Listening> {
  const servers: Server[] = [];
  if (host === "localhost") {
    const first = await open(listener, "127.0.0.1", port, idleMs, setting);
    servers.push(first);
    const second = await open(listener, "::1", portOf(first), idleMs, setting).catch((error: unknown) => {
      // A machine without IPv6 has no such address; a port that another program holds there is a problem.
      if (!(error instanceof SettingsError) || /EADDRINUSE/.test(String(error.cause))) {
        first.close();
        throw error;
      }
      return undefined;
    });
    if (second) servers.push(second);
  } else {
    servers.push(await open(listener, host, port, idleMs, setting));
  }
  const [server] = servers;
  return {
    url: `http://${shownHost(host)}:${server ? portOf(server) : port}`,
    stopAccepting: () => {
      for (const each of servers) each.close();
    },
    closeAll: () => {
      for (const each of servers) each.closeAllConnections();
    },
  };
}

function open(listener: RequestListener, host: string, port: number, idleMs: number, setting: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    // Longer than the proxies in front keep an idle connection: else they use one that is just being closed.
    const server = createServer({ keepAliveTimeout: 75_000 }, listener);
    // Else an answer that is not taken, or a body that does not come, is held for as long as its sender likes.
    server.timeout = idleMs;
    server.once("error", (error: NodeJS.ErrnoException) => reject(explained(error, host, port, setting)));
    server.listen({ host, port }, () => resolve(server));
  });
}

function explained(error: NodeJS.ErrnoException, host: string, port: number, setting: string): Error {
  const sentence = {
    EADDRINUSE: `${setting} is ${port}: expected a free port, and another program listens on it already. Stop that program, or set ${setting} to another number.`,
    EACCES: `${setting} is ${port}: expected a port that this user may listen on, such as one above 1023.`,
    EADDRNOTAVAIL: `HOST is ${JSON.stringify(host)}: expected an address of this machine.`,
    ENOTFOUND: `HOST is ${JSON.stringify(host)}: expected a name that can be resolved.`,
  }[error.code ?? ""];
  if (sentence === undefined) return error;
  const problem = new SettingsError([sentence]);
  problem.cause = error;
  return problem;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Every address is no address to open: this machine's own name is one of them. */
function shownHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
