import { createHmac } from "node:crypto";
import { VISITOR_TOKEN_TYPE } from "../../visitor-token-type.ts";
import type { VisitorIdentity } from "../visitor-identity.ts";

/** The header that tells a server of tools whom a request serves. */
export const VISITOR_HEADER = "X-Nitka-Visitor";

const LIFETIME_S = 300;

/** Signs for one server whom its tool calls serve. */
export interface VisitorTokens {
  /** A JWT (RFC 7519) with HS256, for one tool call. Its own claims replace the host's claims of the same names. */
  sign(visitor: VisitorIdentity, toolCallId: string): string;
}

export interface VisitorTokensOptions {
  /** The server's name in the config: `aud`, so that no server can use its tokens at another one. */
  readonly server: string;
  readonly secret: string;
  readonly now: () => Date;
}

export function createVisitorTokens({ server, secret, now }: VisitorTokensOptions): VisitorTokens {
  return {
    sign({ claims, anonymous, ...visitor }, toolCallId) {
      const iat = Math.floor(now().getTime() / 1000);
      const { anonymous: _, ...rest } = claims;
      const own = { aud: server, jti: toolCallId, iat, exp: iat + LIFETIME_S };
      const payload = { ...rest, ...visitor, ...(anonymous && { anonymous }), ...own };
      const signed = [{ alg: "HS256", typ: VISITOR_TOKEN_TYPE }, payload].map(encode).join(".");
      return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
    },
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
