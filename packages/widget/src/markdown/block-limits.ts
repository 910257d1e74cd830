/** Nested quotes and lists. */
const depthLimit = 64;
/** Lines without a blank line between them. */
const lineLimit = 1500;
/** Lines that begin an item inside of a quote or of another item. */
const nestedItemLimit = 400;
/** UTF-16 units of one open block. */
const lengthLimit = 100_000;

const longPrefix = new RegExp(`^[ \\t>*+.)\\d-]{${depthLimit}}`, "m");
const prefixes = /^(?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))+/gm;
const markers = />|[-*+.)]/g;
const nestedItems = /^[*+.)\d-]*[ \t>]+[*+.)\d-]+[ \t]/gm;

/**
 * Whether a text is too large for micromark: its time is quadratic in the depth of nesting, in the lines of one quote and in
 * the items inside of one quote or item; each line costs as much as fifty characters, and its stack grows with the depth. Text that is meant to be read stays far below the limits.
 */
export function exceedsBlockLimits(source: string): boolean {
  return (
    source.length > lengthLimit ||
    nestsTooDeep(source) ||
    hasTooManyLines(source) ||
    source.match(nestedItems)?.[nestedItemLimit] !== undefined
  );
}

function nestsTooDeep(source: string): boolean {
  if (!longPrefix.test(source)) return false;
  // A deeper level begins further right, so lines with a prefix of the same length add no depth.
  const lengths = new Set<number>();
  let depth = 0;
  for (const [prefix] of source.matchAll(prefixes)) {
    if (lengths.has(prefix.length)) continue;
    lengths.add(prefix.length);
    depth += prefix.match(markers)?.length ?? 0;
    if (depth > depthLimit) return true;
  }
  return false;
}

function hasTooManyLines(source: string): boolean {
  if (source.length < lineLimit * 2) return false;
  return source.split(/(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/).some((run) => run.split(/\r\n|\n|\r/).length > lineLimit);
}
