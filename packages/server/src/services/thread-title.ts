export const MAX_TITLE_CHARS = 200;

/**
 * A title for one line of a list: trimmed, without line breaks and control characters, of at most 200 characters.
 *
 * @returns `undefined` when nothing is left
 *
 * @example cleanTitle(" Weather\nin Oslo ") // "Weather in Oslo"
 */
export function cleanTitle(text: string): string | undefined {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  return line === "" ? undefined : Array.from(line).slice(0, MAX_TITLE_CHARS).join("");
}
