/**
 * Text that every database can store and every upstream accepts: NUL is removed, and each lone surrogate becomes
 * U+FFFD. A delta that is cut inside of an emoji contains one.
 */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** A value as JSON, with every text in it cleaned. */
export function cleanJson(value: unknown): string {
  const json = JSON.stringify(value);
  return mayBeUnclean.test(json) ? JSON.stringify(cleanValue(value)) : json;
}

/** The JSON escapes of NUL and of lone surrogates. Surrogate pairs are not escaped. */
const mayBeUnclean = /\\u(?:0000|d[89a-f])/i;

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [cleanText(name), cleanValue(item)]));
}
