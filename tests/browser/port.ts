import { createServer } from "node:http";
import type { RequestListener, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A port of this machine. It serves one site after another: the browser keeps what it has compiled of a script only while
 * the script's address stays the same.
 */
export interface Port {
  readonly number: number;
  /** Has the listener answer the requests until the function that it returns is called, which breaks the open ones. */
  serve(listener: RequestListener): () => void;
  close(): Promise<void>;
}

export async function openPort(): Promise<Port> {
  let current: RequestListener | undefined;
  const open = new Set<ServerResponse>();
  // Idle connections stay: a client may send its next request on a connection while the server closes it.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (!current) {
      request.destroy();
      return;
    }
    open.add(response);
    response.on("close", () => open.delete(response));
    current(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    number: (server.address() as AddressInfo).port,
    serve(listener) {
      current = listener;
      return () => {
        current = undefined;
        for (const response of open) response.destroy();
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
