/**
 * A query parameter without NUL, which Postgres refuses. Stored text contains none (see `cleanText`). An id from a
 * request may contain one, and then matches no row.
 */
export function storableText(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
