/**
 * The cookie of an anonymous visitor: `<visitor id>.<day of issue>.<signature>`. `handleRequest` sets it in responses
 * of operations with `admitsNewVisitors`, such as the config.
 */
import type { RequestOrigin } from "./request-origin.ts";
import { COOKIE_S, DAY_S } from "../services/timings.ts";
import type { Forwarded } from "./forwarded.ts";
import { createSigner } from "./signature.ts";

export interface VisitorCookie {
  /** The visitor in the request's cookies; `undefined` when none of them is valid. */
  read(request: Request): string | undefined;
  /** The `Set-Cookie` header that stores this visitor in the browser. */
  write(visitorId: string, request: Request, requestOrigin: RequestOrigin): string;
  /** The `Set-Cookie` headers that delete the visitor's cookies from the browser. */
  drop(visitorId: string, request: Request, requestOrigin: RequestOrigin): readonly string[];
}

/**
 * With `__Host-` (RFC 6265bis) a browser accepts the cookie only from this host over HTTPS, and not from a sibling
 * domain.
 */
const SECURE_NAME = "__Host-nitka_visitor";
const PLAIN_NAME = "nitka_visitor";

/** @param isSecure see `Forwarded` */
export function createVisitorCookie(
  secrets: readonly string[],
  clock: () => Date,
  isSecure: Forwarded["isSecure"],
): VisitorCookie {
  const signers = {
    [SECURE_NAME]: createSigner(secrets, SECURE_NAME),
    [PLAIN_NAME]: createSigner(secrets, PLAIN_NAME),
  };
  const today = () => Math.floor(clock().getTime() / 1000 / DAY_S);

  function idOf(name: keyof typeof signers, value: string): string | undefined {
    const [id, day, signature, ...rest] = value.split(".");
    if (!id || !day || !signature || rest.length > 0 || !signers[name].verify(`${id}.${day}`, signature))
      return undefined;
    return Number(day) > today() - COOKIE_S / DAY_S ? id : undefined;
  }

  /** The visitor in the cookies of one name. */
  function namedBy(name: keyof typeof signers, request: Request): string | undefined {
    // The plain cookie only counts over plain HTTP. Over HTTPS a sibling domain could have set it.
    if (name === PLAIN_NAME && isSecure(request)) return undefined;
    return cookieValues(request, name)
      .map((value) => idOf(name, value))
      .find((id) => id !== undefined);
  }

  function cookieLine(
    name: string,
    value: string,
    seconds: number,
    request: Request,
    { crossSite }: RequestOrigin,
  ): string {
    const secure = name === SECURE_NAME || isSecure(request) ? "; Secure" : "";
    const attributes = crossSite ? "; SameSite=None; Secure; Partitioned" : `; SameSite=Lax${secure}`;
    return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly${attributes}`;
  }

  return {
    read: (request) => namedBy(SECURE_NAME, request) ?? namedBy(PLAIN_NAME, request),

    write(visitorId, request, requestOrigin) {
      const name = requestOrigin.crossSite || isSecure(request) ? SECURE_NAME : PLAIN_NAME;
      const signed = `${visitorId}.${today()}`;
      return cookieLine(name, `${signed}.${signers[name].sign(signed)}`, COOKIE_S, request, requestOrigin);
    },

    drop: (visitorId, request, requestOrigin) =>
      ([SECURE_NAME, PLAIN_NAME] as const)
        .filter((name) => namedBy(name, request) === visitorId)
        .map((name) => cookieLine(name, "", 0, request, requestOrigin)),
  };
}

/**
 * All values of a cookie in a request: a browser may send a partitioned and an unpartitioned cookie of the same name.
 */
export function cookieValues(request: Request, wanted: string): readonly string[] {
  const header = request.headers.get("cookie");
  if (header === null) return [];
  return header.split(";").flatMap((pair) => {
    const [name, value] = pair.trim().split("=", 2);
    return name === wanted && value ? [value] : [];
  });
}
