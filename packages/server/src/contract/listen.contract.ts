import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterEach, onTestFinished } from "vitest";
import type { ChatServer } from "../create-chat-server.ts";

/** Serves a chat server on a free port, through its adapter for Node. */
export function listener(): (server: ChatServer) => Promise<string> {
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
  });
  return async (server) => {
    const answer = getRequestListener(server.fetch, { overrideGlobalObjects: false });
    const node = createServer((incoming, outgoing) => void answer(incoming, outgoing));
    node.listen(0, "127.0.0.1");
    await once(node, "listening");
    closes.push(async () => {
      node.closeAllConnections();
      await new Promise((resolve) => node.close(resolve));
    });
    return `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  };
}

/** The address of a server that answers so until the test has ended. */
export async function serveForTest(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends the text of a request on its own socket. */
export async function rawRequest(
  base: string,
  path: string,
  options: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<Socket> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const { method = "GET", headers = {}, body = "" } = options;
  const lines = Object.entries({ host: `${hostname}:${port}`, "content-length": Buffer.byteLength(body), ...headers });
  socket.write(
    [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), "", body].join("\r\n"),
  );
  return socket;
}
