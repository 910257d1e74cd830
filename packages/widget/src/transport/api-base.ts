/**
 * Where the API's calls go, without trailing slashes: what the host page names, relative to the page; else what the
 * config names, relative to the proxy; else the page's own origin.
 *
 * @example resolveApiBase({ configured: "./", proxyUrl: "https://chat.example/shop", pageUrl }) // "https://chat.example/shop"
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

/** A URL that relative paths resolve beneath, not beside. */
export function withSlash(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}
