/** On every answer: no guessing of types, nothing that could run, nothing kept, nothing told to other sites. */
export const safetyHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};
