/** The three credentials of a visitor: the cookie, the server's own token, and the host's JWT. */
import { ChatError } from "../chat-error.ts";
import type { NewId } from "../services/new-id.ts";
import type { RequestOrigin } from "./request-origin.ts";
import { TOKEN_MS } from "../services/timings.ts";
import type { Forwarded } from "./forwarded.ts";
import { readHostToken } from "./host-token.ts";
import type { HostToken } from "./host-token.ts";
import { createSigner } from "./signature.ts";
import { namedVisitorId } from "../services/threads/visitor-service.ts";
import { createVisitorCookie } from "./visitor-cookie.ts";

/** The sender of a request, and the credential that identified them. */
export type Visitor =
  /** `token`: the server's own token. `new`: no credential, so the id was made for this request. */
  | { readonly visitorId: string; readonly by: "cookie" | "token" | "new" }
  /** The host's JWT, or the result of the host's `identify`. */
  | ({ readonly visitorId: string; readonly by: "host" } & HostToken);

/** The fields of a project that determine who its visitors are. */
export interface VisitorRealm {
  readonly id: string;
  readonly secret?: string | undefined;
}

export interface VisitorCredentials {
  /**
   * Identifies the sender of a request. An invalid cookie is ignored.
   *
   * @throws ChatError `unauthorized` for a bearer token that is invalid or has expired
   */
  identify(request: Request, realm: VisitorRealm): Promise<Visitor>;
  /** The `Set-Cookie` header that stores this visitor in the browser. */
  cookie(visitorId: string, request: Request, requestOrigin: RequestOrigin): string;
  /**
   * The anonymous visitor of this browser, from the server's own token for this project if there is one, otherwise from
   * the cookie.
   *
   * @throws ChatError `unprocessable` for a token that is invalid or has expired
   */
  anonymous(request: Request, realm: VisitorRealm, token?: string): string | undefined;
  /** The `Set-Cookie` headers that delete the visitor's cookie. A cookie of another visitor stays. */
  dropCookies(visitorId: string, request: Request, requestOrigin: RequestOrigin): readonly string[];
  /** A bearer token to use instead of the cookie. It is only valid in this project. */
  token(visitorId: string, realm: VisitorRealm): string;
  /** A text that is unique to the visitor within the project, and that is not a credential. */
  mark(visitorId: string, realm: VisitorRealm): string;
}

const TOKEN_PREFIX = "nitka1";

/** @param secrets the server's own secrets, for cookies and tokens: the first one signs, all of them verify */
export function createVisitorCredentials(
  secrets: readonly string[],
  clock: () => Date,
  newId: NewId,
  isSecure: Forwarded["isSecure"],
  hostIdentify: (request: Request) => Promise<HostToken | undefined>,
): VisitorCredentials {
  const cookies = createVisitorCookie(secrets, clock, isSecure);
  const tokens = (projectId: string) => createSigner(secrets, `token ${projectId}`);

  function fromToken(token: string, realm: VisitorRealm): string {
    const [prefix, id, expiry, signature, ...rest] = token.split(".");
    const signed = `${id}.${expiry}`;
    if (prefix !== TOKEN_PREFIX || !id || !expiry || !signature || rest.length > 0) throw refusal("it cannot be read");
    if (!tokens(realm.id).verify(signed, signature)) throw refusal("it was not given by this project");
    if (Number(expiry) <= clock().getTime()) throw refusal("it has expired; ask for the config again");
    return id;
  }

  return {
    async identify(request, realm) {
      const named = await hostIdentify(request);
      if (named) return { visitorId: namedVisitorId(named.sub), by: "host", ...named };
      const token = bearerOf(request);
      if (token?.startsWith(`${TOKEN_PREFIX}.`)) return { visitorId: fromToken(token, realm), by: "token" };
      if (token !== undefined) {
        if (realm.secret === undefined) throw refusal("this project accepts no host tokens (it has no secret)");
        const host = await readHostToken(token, realm.secret, realm.id, clock());
        return { visitorId: namedVisitorId(host.sub), by: "host", ...host };
      }
      const known = cookies.read(request);
      return known === undefined ? { visitorId: newId("visitor"), by: "new" } : { visitorId: known, by: "cookie" };
    },

    anonymous(request, realm, token) {
      if (token === undefined) return cookies.read(request);
      try {
        return fromToken(token, realm);
      } catch (error) {
        if (!(error instanceof ChatError)) throw error;
        throw new ChatError("unprocessable", `token: ${error.message}`, { cause: error });
      }
    },

    cookie: (...visit) => cookies.write(...visit),
    dropCookies: (...visit) => cookies.drop(...visit),

    mark: (visitorId, realm) => createSigner(secrets, `mark ${realm.id}`).sign(visitorId),

    token(visitorId, realm) {
      const signed = `${visitorId}.${clock().getTime() + TOKEN_MS}`;
      return `${TOKEN_PREFIX}.${signed}.${tokens(realm.id).sign(signed)}`;
    },
  };
}

/**
 * The bearer token (RFC 6750); `undefined` without one, also for another scheme such as the `Basic` of a staging
 * server.
 */
function bearerOf(request: Request): string | undefined {
  const header = request.headers.get("authorization");
  if (header === null || !/^bearer(\s|$)/i.test(header)) return undefined;
  return header.slice("bearer".length).trim();
}

function refusal(reason: string): ChatError {
  return new ChatError("unauthorized", `The visitor's token is not accepted: ${reason}.`);
}
