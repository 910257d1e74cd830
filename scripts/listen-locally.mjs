import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Makes a server listen on a free port of the loopback address.
 *
 * @param {import("node:net").Server} server
 * @returns {Promise<number>} the port
 */
export async function listenLocally(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/**
 * Finds a free port of the loopback address.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  const server = createServer();
  const port = await listenLocally(server);
  server.close();
  await once(server, "close");
  return port;
}
