/**
 * Text that every database takes: without NUL, and with U+FFFD for lone surrogates, such as a delta that was cut inside
 * an emoji leaves.
 */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** A value as JSON, every text in it clean. */
export function cleanJson(value: unknown): string {
  const json = JSON.stringify(value);
  return mayBeUnclean.test(json) ? JSON.stringify(cleanValue(value)) : json;
}

/** How NUL and lone surrogates are written in JSON; paired ones are written as they are. */
const mayBeUnclean = /\\u(?:0000|d[89a-f])/i;

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [cleanText(name), cleanValue(item)]));
}
