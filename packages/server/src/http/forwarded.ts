import type { Log } from "../services/log.ts";

export interface ForwardedOptions {
  /** The number of the operator's proxies in front. With 0, the headers of proxies are ignored. */
  readonly trustedProxies: number;
  readonly logger: Pick<Log, "warn">;
}

/** What the proxies in front report about a request. */
export interface Forwarded {
  /** Whether the browser uses HTTPS, possibly to a proxy that terminates TLS. */
  readonly isSecure: (request: Request) => boolean;
  /** The id that a proxy has given the request, so that a request has the same id in both logs. */
  readonly requestId: (request: Request) => string | undefined;
}

export function createForwarded({ trustedProxies, logger }: ForwardedOptions): Forwarded {
  let warned = false;
  return {
    isSecure(request) {
      const isHttps = new URL(request.url).protocol === "https:";
      const header = request.headers.get("x-forwarded-proto");
      if (header === null) return isHttps;
      if (trustedProxies > 0) return schemeOf(header, trustedProxies) === "https";
      if (!isHttps && header.includes("https") && !warned) {
        warned = true;
        logger.warn({}, UNTRUSTED_PROXY);
      }
      return isHttps;
    },

    requestId(request) {
      const id = trustedProxies > 0 ? request.headers.get("x-request-id") : null;
      return id !== null && /^[\w.:-]{1,64}$/.test(id) ? id : undefined;
    },
  };
}

const UNTRUSTED_PROXY =
  "a request has X-Forwarded-Proto: https, but no proxy is trusted: if your own proxy terminates TLS, visitors get the weaker cookie of plain HTTP. Set trustedProxies (NITKA_TRUSTED_PROXIES) to the number of your proxies.";

/**
 * Most proxies replace the header, so it has one value. Proxies that append add their values on the right, as in
 * `X-Forwarded-For`.
 */
function schemeOf(header: string, trustedProxies: number): string | undefined {
  const schemes = header.split(",").map((scheme) => scheme.trim().toLowerCase());
  return schemes.at(-trustedProxies) ?? schemes[0];
}
