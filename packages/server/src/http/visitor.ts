/** Who calls: the three credentials that a visitor may have, and the one that we give. */
import { ChatError } from "../chat-error.ts";
import type { NewId } from "../services/new-id.ts";
import type { Relation } from "./cors.ts";
import { readHostToken } from "./host-token.ts";
import { createSigner } from "./signature.ts";
import { namedVisitorId } from "../services/visitor-service.ts";
import { createVisitorCookie } from "./visitor-cookie.ts";

/** `stranger`: no credential, so a new visitor, who has nothing yet. */
export interface Visitor {
  readonly visitorId: string;
  readonly by: "cookie" | "token" | "host" | "stranger";
}

/** What of a project decides who its visitors are. */
export interface VisitorRealm {
  readonly id: string;
  readonly secret?: string | undefined;
}

export interface Visitors {
  /** @throws ChatError `unauthorized` for a bearer token that is bad or has expired; a bad cookie counts as none. */
  identify(request: Request, realm: VisitorRealm): Promise<Visitor>;
  /** The `Set-Cookie` line that makes this browser the visitor's. */
  cookie(visitorId: string, request: Request, relation: Relation): string;
  /**
   * The anonymous visitor of this browser: of the token that was given to it in this project, else of its cookie.
   *
   * @throws ChatError `unprocessable` for a token that is none of ours, or has expired
   */
  anonymous(request: Request, realm: VisitorRealm, token?: string): string | undefined;
  /** The `Set-Cookie` lines that take the visitor's cookie back. A cookie of another visitor stays. */
  takeBack(visitorId: string, request: Request, relation: Relation): readonly string[];
  /** The bearer token that stands in for the cookie, in the one project. */
  token(visitorId: string, realm: VisitorRealm): string;
}

const TOKEN_PREFIX = "nitka1";

const TOKEN_MS = 30 * 24 * 3600 * 1000;

/** @param secrets the server's own, which sign both cookie and token: the first one signs, all of them count */
export function createVisitors(secrets: readonly string[], clock: () => Date, newId: NewId): Visitors {
  const cookies = createVisitorCookie(secrets, clock);
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
      const token = bearerOf(request);
      if (token?.startsWith(`${TOKEN_PREFIX}.`)) return { visitorId: fromToken(token, realm), by: "token" };
      if (token !== undefined) {
        if (realm.secret === undefined) throw refusal("this project takes no tokens of its host (it has no secret)");
        const sub = await readHostToken(token, realm.secret, realm.id, clock());
        return { visitorId: namedVisitorId(sub), by: "host" };
      }
      const known = cookies.read(request);
      return known === undefined ? { visitorId: newId("visitor"), by: "stranger" } : { visitorId: known, by: "cookie" };
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
    takeBack: (...visit) => cookies.takeBack(...visit),

    token(visitorId, realm) {
      const signed = `${visitorId}.${clock().getTime() + TOKEN_MS}`;
      return `${TOKEN_PREFIX}.${signed}.${tokens(realm.id).sign(signed)}`;
    },
  };
}

/** `undefined` where the header is absent or of another scheme, such as a staging server's `Basic`. */
function bearerOf(request: Request): string | undefined {
  const header = request.headers.get("authorization");
  if (header === null || !/^bearer(\s|$)/i.test(header)) return undefined;
  return header.slice("bearer".length).trim();
}

function refusal(reason: string): ChatError {
  return new ChatError("unauthorized", `The visitor's token is not accepted: ${reason}.`);
}
