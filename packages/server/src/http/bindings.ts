import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/**
 * What the Node adapter of hono (`@hono/node-server`) hands over beside the request. Optional everywhere: without it
 * the server speaks plain `Request` and `Response`, only somewhat dearer.
 */
export interface NodeBindings {
  readonly incoming?: IncomingMessage | Http2ServerRequest;
  readonly outgoing?: ServerResponse | Http2ServerResponse;
}
