import { gzipSync } from "node:zlib";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * The bytes that a gzipped script would lose without the code of some of its sources. The source map says which characters come
 * from which source (ECMA-426, "Mappings structure").
 *
 * @param {string} code
 * @param {{ readonly sources: readonly string[], readonly mappings: string }} map
 * @param {(source: string) => boolean} isAskedFor
 * @returns {number} bytes
 */
export function sourceShare(code, map, isAskedFor) {
  const mappings = map.mappings.split(";");
  let source = 0;
  const others = code.split("\n").map((line, number) => {
    let column = 0;
    let isTheirs = true;
    let kept = "";
    for (const segment of (mappings[number] ?? "").split(",").filter(Boolean)) {
      const [columns = 0, sources] = decodeNumbers(segment);
      if (isTheirs) kept += line.slice(column, column + columns);
      column += columns;
      source += sources ?? 0;
      isTheirs = sources === undefined || !isAskedFor(map.sources[source] ?? "");
    }
    return isTheirs ? kept + line.slice(column) : kept;
  });
  return gzipSize(code) - gzipSize(others.join("\n"));
}

/** @param {string | Buffer} content */
export function gzipSize(content) {
  return gzipSync(content, { level: 9 }).length;
}

/**
 * Decodes the Base64 VLQ numbers of one segment. The lowest bit of each is its sign.
 *
 * @example decodeNumbers("ECMA") // [2, 1, 6, 0]
 *
 * @param {string} segment
 * @returns {number[]}
 */
function decodeNumbers(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
