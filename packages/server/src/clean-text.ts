/**
 * Text that every database can store and every upstream takes: without NUL, and with U+FFFD for lone surrogates, which a delta
 * that is cut inside of an emoji has.
 */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** A value as JSON, with every text in it cleaned. */
export function cleanJson(value: unknown): string {
  const json = JSON.stringify(value);
  return mayBeUnclean.test(json) ? JSON.stringify(cleanValue(value)) : json;
}

/** JSON escapes NUL and lone surrogates like this; pairs are not escaped. */
const mayBeUnclean = /\\u(?:0000|d[89a-f])/i;

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [cleanText(name), cleanValue(item)]));
}
