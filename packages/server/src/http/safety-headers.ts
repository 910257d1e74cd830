/** The headers of every response: no type sniffing, no scripts, no frames, no caching, no referrer. */
export const safetyHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};
