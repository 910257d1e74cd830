import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac } from "node:crypto";
import { VISITOR_TOKEN_TYPE } from "../../visitor-token-type.ts";
import type { VisitorIdentity } from "../visitor-identity.ts";

/** The header of requests that serve a visitor. */
const VISITOR_HEADER = "X-Nitka-Visitor";

const LIFETIME_S = 300;

/**
 * Tells an MCP server whom each request serves. All visitors share one connection, so the visitor is a property of the
 * request: it is kept in the asynchronous context of the tool call, from which the transport sends the request.
 */
export interface VisitorHeader {
  /** Runs a tool call on behalf of a visitor. */
  serve<T>(visitor: VisitorIdentity | undefined, call: () => Promise<T>): Promise<T>;
  /** The `fetch` for the connection. It adds the header to requests that are sent inside `serve`. */
  readonly fetch: typeof fetch;
}

/** @param secret the key that signs: the project's */
export function createVisitorHeader(secret: string, now: () => Date, send: typeof fetch): VisitorHeader {
  const served = new AsyncLocalStorage<VisitorIdentity>();
  return {
    serve: (visitor, call) => (visitor ? served.run(visitor, call) : call()),
    fetch: (input, init) => {
      const visitor = served.getStore();
      // Only what is sent: the stream of notifications, which may open at the same time, belongs to all visitors.
      if (!visitor || init?.method !== "POST") return send(input, init);
      const headers = new Headers(init.headers);
      headers.set(VISITOR_HEADER, visitorToken(visitor, secret, now()));
      return send(input, { ...init, headers });
    },
  };
}

/** A JWT (RFC 7519) with HS256. Its own claims replace the host's claims of the same names. */
function visitorToken({ claims, anonymous, ...visitor }: VisitorIdentity, secret: string, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000);
  const { anonymous: _, ...rest } = claims;
  const payload = { ...rest, ...visitor, ...(anonymous && { anonymous }), iat, exp: iat + LIFETIME_S };
  const signed = [{ alg: "HS256", typ: VISITOR_TOKEN_TYPE }, payload].map(encode).join(".");
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
