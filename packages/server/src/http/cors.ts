import { ChatError } from "../chat-error.ts";

/** How a request stands to us, as its browser tells: programs tell nothing. */
export interface Relation {
  /** The page's origin, where the browser names one. */
  readonly origin: string | undefined;
  readonly sameOrigin: boolean;
  /** Cookies of the ordinary kind (`SameSite=Lax`) do not travel with such requests. */
  readonly crossSite: boolean;
  /** The project lets this origin in. True where no origin is named. */
  readonly allowed: boolean;
}

/** @param allowedOrigins the project's; none lets in pages of our own origin alone */
export function relationOf(request: Request, allowedOrigins: ReadonlySet<string>): Relation {
  const origin = request.headers.get("origin") ?? undefined;
  const site = request.headers.get("sec-fetch-site");
  const own = new URL(request.url);
  const page = origin === undefined ? undefined : parse(origin);
  // Behind a proxy that ends TLS our own scheme looks like http: the host tells. A browser's own word tells better.
  const sameOrigin = site === null ? page?.host === own.host : site === "same-origin" && page !== undefined;
  const crossSite = site === null ? page !== undefined && page.hostname !== own.hostname : site === "cross-site";
  const allowed =
    origin === undefined
      ? site !== "cross-site"
      : sameOrigin || (page !== undefined && allowedOrigins.has(page.origin));
  return { origin, sameOrigin, crossSite, allowed };
}

/** Refuses what another site's page would have us do in its visitor's name. */
export function requireAllowedOrigin({ origin, allowed }: Relation): void {
  if (allowed) return;
  throw new ChatError(
    "forbidden_origin",
    `This project does not let in the origin ${origin ?? "of this page"}. Add it to the project's allowedOrigins.`,
  );
}

/** What lets a page of an allowed origin read the answer. For every other page: nothing but `Vary`. */
export function corsHeaders({ origin, sameOrigin, allowed }: Relation): Record<string, string> {
  if (origin === undefined || sameOrigin || !allowed) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "retry-after, x-request-id, x-vercel-ai-ui-message-stream",
  };
}

/** What a browser asks before it sends more than a simple request. */
export function preflightHeaders(relation: Relation, methods: readonly string[]): Record<string, string> {
  const headers = { ...corsHeaders(relation), allow: methods.join(", ") };
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
