/**
 * The base address of all requests but the config's, without trailing slashes. The host's option counts first (relative
 * to the page), then the config's field (relative to the proxy), then the page's origin.
 *
 * @example
 * resolveApiBase({ configured: "./", proxyUrl: "https://chat.example/shop", pageUrl }) // "https://chat.example/shop"
 * resolveApiBase({ option: "/api/", configured: "./", proxyUrl, pageUrl: "https://shop.example/cart" }) // "https://shop.example/api"
 */
export function resolveApiBase(from: {
  readonly option?: string | undefined;
  readonly configured?: string | undefined;
  readonly proxyUrl: string;
  readonly pageUrl: string;
}): string {
  const { option, configured, proxyUrl, pageUrl } = from;
  const url =
    option === undefined && configured !== undefined
      ? new URL(configured, withSlash(proxyUrl))
      : new URL(option ?? "/", pageUrl);
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/** The URL with a trailing slash, so that relative paths resolve below it. */
export function withSlash(url: string): string {
  return url.replace(/\/?$/, "/");
}
