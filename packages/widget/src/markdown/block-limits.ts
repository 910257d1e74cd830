/** The maximum number of lines that begin an item or a footnote inside a quote or another item. */
const nestedItemLimit = 400;
/** The maximum length of an open block, in UTF-16 units. Each of its lines counts as ninety units. */
const lengthLimit = 100_000;
const lineCost = 90;
/**
 * The maximum number of blocks, items and rows of an answer, and the minimum average length of so many of them in UTF-16 units.
 */
const blockLimit = 1000;
const meanLength = 20;

/** Too deep nesting of quotes and lists: 64 on one line, or an item indented so far that as many may be around it. */
const tooDeep = /^(?:[ \t]*(?:>|(?:[-*+]|\d+[.)])(?=[ \t]))){64}|^[ \t]{128,}[->*+\d]/m;
const nestedItems = /^[*+.)\d-]*[ \t>]+(?:[*+.)\d-]+[ \t]|\[\^)/gm;

/**
 * Whether a text is too large for micromark. Its time is quadratic in the nesting depth, in the lines of one quote and in the
 * items inside one quote or item, and its stack grows with the depth. Ordinary text stays far below the limits.
 */
export function exceedsBlockLimits(source: string): boolean {
  return (
    source.length + source.split(/\r\n|\n|\r/).length * lineCost > lengthLimit ||
    tooDeep.test(source) ||
    source.match(nestedItems)?.[nestedItemLimit] !== undefined
  );
}

/**
 * Whether an answer has so many small blocks that the rest of it is not parsed. A block, even one of a single character, costs
 * as much as fifty characters of prose.
 *
 * @param length the length of the answer so far
 */
export function hasTooManyBlocks(count: number, length: number): boolean {
  return count > blockLimit && length < count * meanLength;
}
