import { SignJWT } from "jose";
import { VISITOR_TOKEN_TYPE } from "../visitor-token-type.ts";

/** The header that tells a tool server, or the service of a model, which visitor a request serves. */
export const VISITOR_HEADER = "X-Nitka-Visitor";

/** The header that tells the service of a model the thread. */
const THREAD_HEADER = "X-Nitka-Thread";

const LIFETIME_MS = 300_000;

/** The visitor who asks, for the tool servers that are told. */
export interface VisitorIdentity {
  /** The host's id of the visitor; for an anonymous visitor, the id on this server. */
  readonly sub: string;
  readonly anonymous: boolean;
  readonly project: string;
  readonly thread: string;
  /** The claims of the host's token, except for the registered ones. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Signs tokens for one server, which tell it which visitor a request serves. */
export interface VisitorTokens {
  /**
   * Makes a JWT (RFC 7519) with HS256 for one request. Its own claims override the host's claims of the same names.
   *
   * @param id the id of the tool call that the request is for
   */
  sign(visitor: VisitorIdentity, id?: string): Promise<string>;
}

export interface VisitorTokensOptions {
  /** The server's name in the config: the token's `aud`, so that a server cannot use its tokens at another one. */
  readonly server: string;
  readonly secret: string;
  readonly now?: () => Date;
}

export function createVisitorTokens({ server, secret, now = () => new Date() }: VisitorTokensOptions): VisitorTokens {
  const key = new TextEncoder().encode(secret);
  return {
    sign({ claims, anonymous, ...visitor }, id) {
      const { anonymous: _, ...rest } = claims;
      const issuedAt = now();
      const token = new SignJWT({ ...rest, ...visitor, ...(anonymous && { anonymous }) })
        .setProtectedHeader({ alg: "HS256", typ: VISITOR_TOKEN_TYPE })
        .setAudience(server)
        .setIssuedAt(issuedAt)
        .setExpirationTime(new Date(issuedAt.getTime() + LIFETIME_MS));
      return (id === undefined ? token : token.setJti(id)).sign(key);
    },
  };
}

/** The headers that tell the service of a model who asks; none when it is not told, or when nobody asks. */
export async function visitorHeaders(
  tokens: VisitorTokens | undefined,
  asker: VisitorIdentity | undefined,
): Promise<Readonly<Record<string, string>>> {
  if (!tokens || !asker) return {};
  return { [VISITOR_HEADER]: await tokens.sign(asker), [THREAD_HEADER]: asker.thread };
}
