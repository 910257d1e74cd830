/**
 * A query parameter without NUL, which Postgres refuses. Stored text has none (see `cleanText`); an id from a request may
 * have one, and then matches no row.
 */
export function storableText(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
