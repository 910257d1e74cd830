/** The cookie that keeps an anonymous visitor: whose it is, the day it was given, and our signature. */
import type { Relation } from "./cors.ts";
import { createSigner } from "./signature.ts";

export interface VisitorCookie {
  /** The visitor whom the request's cookies name; `undefined` where none of them holds. */
  read(request: Request): string | undefined;
  /** The `Set-Cookie` line that makes this browser the visitor's. */
  write(visitorId: string, request: Request, relation: Relation): string;
  /** The `Set-Cookie` lines that take the visitor's cookies out of this browser. */
  takeBack(visitorId: string, request: Request, relation: Relation): readonly string[];
}

/** Browsers take this name from the very host alone, over HTTPS: a sibling of the host cannot plant such a cookie. */
const SECURE_NAME = "__Host-nitka_visitor";
const PLAIN_NAME = "nitka_visitor";

/** The longest that browsers keep a cookie. */
const COOKIE_DAYS = 400;
const DAY_S = 24 * 3600;

export function createVisitorCookie(secrets: readonly string[], clock: () => Date): VisitorCookie {
  const signers = {
    [SECURE_NAME]: createSigner(secrets, SECURE_NAME),
    [PLAIN_NAME]: createSigner(secrets, PLAIN_NAME),
  };
  const undated = createSigner(secrets, "cookie");
  const today = () => Math.floor(clock().getTime() / 1000 / DAY_S);

  function fromDated(name: keyof typeof signers, value: string): string | undefined {
    const [id, day, signature, ...rest] = value.split(".");
    if (!id || !day || !signature || rest.length > 0 || !signers[name].verify(`${id}.${day}`, signature))
      return undefined;
    return Number(day) > today() - COOKIE_DAYS ? id : undefined;
  }

  /** As all were until they had a date. */
  function fromUndated(value: string): string | undefined {
    const [id, signature, ...rest] = value.split(".");
    return id && signature && rest.length === 0 && undated.verify(id, signature) ? id : undefined;
  }

  /** Whom the cookies of one name name. */
  function namedBy(name: keyof typeof signers, request: Request): string | undefined {
    const values = cookieValues(request, name);
    // One that was given over plain HTTP counts there alone: over HTTPS anybody could have planted their own.
    const dated =
      name === SECURE_NAME || !isSecure(request) ? firstOf(values, (one) => fromDated(name, one)) : undefined;
    return dated ?? (name === PLAIN_NAME ? firstOf(values, fromUndated) : undefined);
  }

  return {
    read: (request) => namedBy(SECURE_NAME, request) ?? namedBy(PLAIN_NAME, request),

    write(visitorId, request, relation) {
      const name = relation.crossSite || isSecure(request) ? SECURE_NAME : PLAIN_NAME;
      const signed = `${visitorId}.${today()}`;
      return cookieLine(name, `${signed}.${signers[name].sign(signed)}`, COOKIE_DAYS * DAY_S, request, relation);
    },

    takeBack: (visitorId, request, relation) =>
      ([SECURE_NAME, PLAIN_NAME] as const)
        .filter((name) => namedBy(name, request) === visitorId)
        .map((name) => cookieLine(name, "", 0, request, relation)),
  };
}

function cookieLine(name: string, value: string, seconds: number, request: Request, { crossSite }: Relation): string {
  const secure = name === SECURE_NAME || isSecure(request) ? "; Secure" : "";
  const reach = crossSite ? "; SameSite=None; Secure; Partitioned" : `; SameSite=Lax${secure}`;
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly${reach}`;
}

/** Every value of a cookie: a browser may hold a partitioned one beside an ordinary one. */
function cookieValues(request: Request, wanted: string): readonly string[] {
  const header = request.headers.get("cookie");
  if (header === null) return [];
  return header.split(";").flatMap((pair) => {
    const [name, value] = pair.trim().split("=", 2);
    return name === wanted && value ? [value] : [];
  });
}

function firstOf(values: readonly string[], read: (value: string) => string | undefined): string | undefined {
  return values.map(read).find((id) => id !== undefined);
}

/** The word of a proxy that ends TLS can do no harm here: who lies gets a cookie that their own browser refuses. */
function isSecure(request: Request): boolean {
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",", 1)[0]?.trim();
  return (forwarded ?? new URL(request.url).protocol.replace(":", "")) === "https";
}
