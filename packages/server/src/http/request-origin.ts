import { ChatError } from "../chat-error.ts";

/**
 * The page that a request comes from, according to the headers of the browser. Requests of programs do not have these
 * headers.
 */
export interface RequestOrigin {
  /** The `Origin` header; `undefined` when it is missing. */
  readonly origin: string | undefined;
  readonly sameOrigin: boolean;
  /** The browser sends no `SameSite=Lax` cookies with this request. */
  readonly crossSite: boolean;
  /**
   * Whether the project allows this origin. Also true for a request without an origin, unless the browser marks it as
   * cross-site.
   */
  readonly allowed: boolean;
}

/** @param allowedOrigins the project's allowed origins. If empty, only pages of the server's own origin are allowed. */
export function requestOriginOf(request: Request, allowedOrigins: ReadonlySet<string>): RequestOrigin {
  const origin = request.headers.get("origin") ?? undefined;
  const site = request.headers.get("sec-fetch-site");
  const own = new URL(request.url);
  const page = origin === undefined ? undefined : parse(origin);
  // Hosts are compared without the scheme: behind a proxy that terminates TLS, the server sees its own scheme as http.
  // `Sec-Fetch-Site` takes precedence, because it is the browser's own judgement.
  const sameOrigin = site === null ? page?.host === own.host : site === "same-origin" && page !== undefined;
  const crossSite = site === null ? page !== undefined && page.hostname !== own.hostname : site === "cross-site";
  const allowed =
    origin === undefined
      ? site !== "cross-site"
      : sameOrigin || (page !== undefined && allowedOrigins.has(page.origin));
  return { origin, sameOrigin, crossSite, allowed };
}

/**
 * Prevents pages of other sites from changing data with the visitor's cookie (CSRF).
 *
 * @throws ChatError `forbidden_origin`
 */
export function requireAllowedOrigin({ origin, allowed }: RequestOrigin): void {
  if (allowed) return;
  throw new ChatError(
    "forbidden_origin",
    `This project does not allow the origin ${origin ?? "of this page"}. Add it to the project's allowedOrigins.`,
  );
}

/**
 * The CORS headers (Fetch standard, 3.2) that let a page of an allowed origin read the response; for other origins only
 * `Vary`.
 */
export function corsHeaders({ origin, sameOrigin, allowed }: RequestOrigin): Record<string, string> {
  if (origin === undefined || sameOrigin || !allowed) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "retry-after, x-request-id, x-vercel-ai-ui-message-stream",
  };
}

/**
 * The CORS headers of a 404 for an unknown project or path: a page of any site may read it, without credentials. The widget
 * can then name the cause in the console, where the browser alone would report a CORS error.
 */
export const forAnySite: Readonly<Record<string, string>> = { "access-control-allow-origin": "*" };

/** The headers of the response to a CORS preflight (`OPTIONS`). */
export function preflightHeaders(requestOrigin: RequestOrigin, methods: readonly string[]): Record<string, string> {
  const headers = { ...corsHeaders(requestOrigin), allow: methods.join(", ") };
  if (!Object.hasOwn(headers, "access-control-allow-origin")) return headers;
  return {
    ...headers,
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": "accept, authorization, cache-control, content-type, last-event-id",
    "access-control-max-age": "600",
  };
}

function parse(origin: string): URL | undefined {
  return URL.canParse(origin) ? new URL(origin) : undefined;
}
