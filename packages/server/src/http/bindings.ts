import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * What the Node adapter of hono (`@hono/node-server`) hands over beside the request. Optional everywhere: without it
 * the server speaks plain `Request` and `Response`, only somewhat dearer.
 */
export interface NodeBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}
