import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/**
 * What `@hono/node-server` passes to `fetch` besides the request: Node's own request and response. Both are optional.
 * Without them streams go through a web `Response`, which costs more time, and the client's address is not known from
 * the socket.
 */
export interface NodeBindings {
  readonly incoming?: IncomingMessage | Http2ServerRequest;
  readonly outgoing?: ServerResponse | Http2ServerResponse;
}
