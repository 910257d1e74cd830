/** Lines that begin an item or a footnote inside of a quote or of another item. */
const nestedItemLimit = 400;
/** UTF-16 units of one open block. Each of its lines costs as much as ninety. */
const lengthLimit = 100_000;
const lineCost = 90;
/** Blocks, items and rows of an answer, and the fewest UTF-16 units that so many of them have on average. */
const blockLimit = 1000;
const meanLength = 20;

/** Quotes and lists in each other: 64 on one line, or an item so far to the right that as many may be around it. */
const tooDeep = /^(?:[ \t]*(?:>|(?:[-*+]|\d+[.)])(?=[ \t]))){64}|^[ \t]{128,}[->*+\d]/m;
const nestedItems = /^[*+.)\d-]*[ \t>]+(?:[*+.)\d-]+[ \t]|\[\^)/gm;

/**
 * Whether a text is too large for micromark: its time is quadratic in the depth of nesting, in the lines of one quote and in
 * the items inside of one quote or item, and its stack grows with the depth. Text that is meant to be read stays far below
 * the limits.
 */
export function exceedsBlockLimits(source: string): boolean {
  return (
    source.length + source.split(/\r\n|\n|\r/).length * lineCost > lengthLimit ||
    tooDeep.test(source) ||
    source.match(nestedItems)?.[nestedItemLimit] !== undefined
  );
}

/**
 * Whether an answer has so many blocks, and so small ones, that the rest of it is not parsed: a block, also one of a single
 * character, costs as much as fifty characters of prose.
 *
 * @param length that of the answer so far
 */
export function hasTooManyBlocks(count: number, length: number): boolean {
  return count > blockLimit && length < count * meanLength;
}
