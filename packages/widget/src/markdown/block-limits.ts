/** Quotes and lists inside each other. */
const depthLimit = 64;
/** Lines of a quote or list without a blank one between them. */
const lineLimit = 1500;
/** UTF-16 units that belong to one unfinished block. */
const lengthLimit = 100_000;

const longPrefix = new RegExp(`^[ \\t>*+.)\\d-]{${depthLimit}}`, "m");
const prefixes = /^(?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))+/gm;
const markers = />|[-*+.)]/g;

/**
 * Whether a piece of text goes beyond what any answer meant to be read has in one block. Micromark's time grows with the
 * square of the depth and of the lines of one quote, and its stack with the depth; such text is shown as it stands.
 */
export function exceedsBlockLimits(source: string): boolean {
  return source.length > lengthLimit || nestsTooDeep(source) || hasTooManyLines(source);
}

function nestsTooDeep(source: string): boolean {
  if (!longPrefix.test(source)) return false;
  // Each deeper level begins further right: lines whose prefix has a length seen before add no depth.
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
  return source
    .split(/(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/)
    .some((run) => /^[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)])/m.test(run) && run.split(/\r\n|\n|\r/).length > lineLimit);
}
