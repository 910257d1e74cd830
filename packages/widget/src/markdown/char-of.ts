import type { Code } from "micromark-util-types";

/** The character of a code; "" for micromark's codes of line endings, tabs and the end of the text. */
export function charOf(code: Code): string {
  return code === null || code < 0 ? "" : String.fromCharCode(code);
}
