import { SignJWT, jwtVerify } from "jose";

/** With `__Host-` (RFC 6265bis) a browser accepts the cookie only from this host over HTTPS. */
const SECURE_NAME = "__Host-nitka_route_visitor";
const PLAIN_NAME = "nitka_route_visitor";

/** The longest time that browsers keep a cookie. */
const COOKIE_DAYS = 400;

/** Distinguishes this token from others that are signed with the same secret. */
const AUDIENCE = "nitka-route-visitor";

const MIN_SECRET_CHARS = 16;

/** The signed cookie of an anonymous visitor. */
export interface VisitorCookie {
  /** The visitor in the request's cookie; `undefined` without a valid one. */
  read(request: Request): Promise<string | undefined>;
  /** The `Set-Cookie` header that stores this visitor in the browser. */
  write(visitorId: string, request: Request): Promise<string>;
}

/** @param secrets the first one signs, all of them verify */
export function createVisitorCookie(secrets: readonly string[]): VisitorCookie {
  const [first, ...others] = secrets.map((secret) => new TextEncoder().encode(secret));
  if (!first || secrets.some(({ length }) => length < MIN_SECRET_CHARS))
    throw new Error(`secret is too short: it signs cookies, so give at least ${MIN_SECRET_CHARS} random characters.`);
  return {
    async read(request) {
      const name = isSecure(request) ? SECURE_NAME : PLAIN_NAME;
      const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("=", 2));
      const tokens = pairs.flatMap(([given, token]) => (given === name && token ? [token] : []));
      for (const token of tokens) {
        for (const key of [first, ...others]) {
          const verified = await jwtVerify(token, key, { algorithms: ["HS256"], audience: AUDIENCE }).catch(() => null);
          if (verified?.payload.sub) return verified.payload.sub;
        }
      }
      return undefined;
    },
    async write(visitorId, request) {
      const secure = isSecure(request);
      const token = await new SignJWT({ sub: visitorId, aud: AUDIENCE })
        .setProtectedHeader({ alg: "HS256" })
        .setExpirationTime(`${COOKIE_DAYS}d`)
        .sign(first);
      const seconds = COOKIE_DAYS * 24 * 3600;
      const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
      return `${secure ? SECURE_NAME : PLAIN_NAME}=${token}; ${attributes}`;
    },
  };
}

/** Behind a proxy that terminates TLS, the request itself is plain HTTP. A forged header only affects its sender. */
function isSecure({ url, headers }: Request): boolean {
  return url.startsWith("https:") || /^https\b/.test(headers.get("x-forwarded-proto") ?? "");
}
