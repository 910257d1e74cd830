/** A visitor's text for a line of a terminal: without line breaks, and without signs that it would obey. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ");
}
