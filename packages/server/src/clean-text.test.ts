import { expect, it } from "vitest";
import { cleanJson, cleanText } from "./clean-text.ts";

it("cleaning does not change clean text, including emoji and escaped backslashes", () => {
  for (const text of ["", "Привет 🧵", "\\u0000", "\\ud83d", "\n\t\u0001\uFFFF"]) {
    expect(cleanText(text)).toBe(text);
    expect(JSON.parse(cleanJson({ text: [text] }))).toEqual({ text: [text] });
  }
});

it("cleaning removes NUL and replaces lone surrogates with U+FFFD, in names too", () => {
  expect(cleanText("\0a\0\uD83Db\uDE00\0")).toBe("a\uFFFDb\uFFFD");
  expect(JSON.parse(cleanJson({ "n\0": [{ text: "\uD83D" }, 1, null, true, "\0"] }))).toEqual({
    n: [{ text: "\uFFFD" }, 1, null, true, ""],
  });
});
