export const MAX_TITLE_CHARS = 200;

/**
 * A title fit for one line of a list: no line breaks or control characters, nothing around it, not too long.
 *
 * @returns `undefined` when nothing is left
 */
export function cleanTitle(text: string): string | undefined {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  return line === "" ? undefined : Array.from(line).slice(0, MAX_TITLE_CHARS).join("");
}
