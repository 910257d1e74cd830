import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SettingsError } from "./config/settings-error.ts";

export interface Listening {
  /** An address that a browser can open. */
  readonly url: string;
  /** Accepts no new connections, and closes idle ones. */
  stopAccepting(): void;
  /** Closes all connections. */
  closeAll(): void;
}

/**
 * A connection without traffic for this time is closed. Streams have a ping every 15 s, so only dead ones are affected.
 */
const IDLE_MS = 120_000;

/** The names of the settings for an error about an address. */
export interface AddressSettings {
  readonly host: string;
  readonly port: string;
}

const PUBLIC: AddressSettings = { host: "HOST", port: "PORT" };

/**
 * Listens on an address. For `localhost` it listens on IPv4 and IPv6, because clients differ in which one they try
 * first.
 *
 * @throws {SettingsError} when the port is taken or the address is not this machine's
 */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
  idleMs = IDLE_MS,
  names = PUBLIC,
): Promise<Listening> {
  const servers: Server[] = [];
  if (host === "localhost") {
    const first = await open(listener, "127.0.0.1", port, idleMs, names);
    servers.push(first);
    const second = await open(listener, "::1", portOf(first), idleMs, names).catch((error: unknown) => {
      // Ignored on a machine without IPv6. A port that another program uses is an error.
      if (!(error instanceof SettingsError) || /EADDRINUSE/.test(String(error.cause))) {
        first.close();
        throw error;
      }
      return undefined;
    });
    if (second) servers.push(second);
  } else {
    servers.push(await open(listener, host, port, idleMs, names));
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

function open(
  listener: RequestListener,
  host: string,
  port: number,
  idleMs: number,
  names: AddressSettings,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    // Longer than proxies keep idle connections (60 s is common). Otherwise a proxy could send a request on a closed
    // connection.
    const server = createServer({ keepAliveTimeout: 75_000 }, listener);
    // Without a timeout, a client that does not read its response or send its body would hold memory for ever.
    server.timeout = idleMs;
    server.once("error", (error: NodeJS.ErrnoException) => reject(explained(error, host, port, names)));
    server.listen({ host, port }, () => resolve(server));
  });
}

function explained(error: NodeJS.ErrnoException, host: string, port: number, names: AddressSettings): Error {
  const sentence = {
    EADDRINUSE: `${names.port} is ${port}: expected a free port, but another program already listens on it. Stop that program, or set ${names.port} to another number.`,
    EACCES: `${names.port} is ${port}: expected a port that this user may listen on, such as one above 1023.`,
    EADDRNOTAVAIL: `${names.host} is ${JSON.stringify(host)}: expected an address of this machine.`,
    ENOTFOUND: `${names.host} is ${JSON.stringify(host)}: expected a name that can be resolved.`,
  }[error.code ?? ""];
  if (sentence === undefined) return error;
  const problem = new SettingsError([sentence]);
  problem.cause = error;
  return problem;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** The host for a URL. A wildcard address cannot be opened, so it is replaced by `localhost`. */
function shownHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
