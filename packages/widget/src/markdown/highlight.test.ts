// @vitest-environment node
import { describe, expect, it } from "vitest";
import { highlight } from "./highlight.ts";

describe("highlighting", () => {
  it("returns tokens with their kinds", () => {
    expect(highlight(["const a = 'b';"], "ts")).toEqual([
      [
        { text: "const", kind: "keyword" },
        { text: " a = ", kind: undefined },
        { text: "'b'", kind: "string" },
        { text: ";", kind: undefined },
      ],
    ]);
  });

  it("cuts tokens where the pieces are cut", () => {
    const pieces = ["/* one\n", "two */ const a = `x\n", "${1}`"];
    const tokens = highlight(pieces, "javascript");
    expect(tokens?.map((piece) => piece.map(({ text }) => text).join(""))).toEqual(pieces);
    expect(tokens?.[1]?.[0]).toEqual({ text: "two */", kind: "comment" });
  });

  it("returns every character of the code, in every language", () => {
    const code = "interface A { b: `${c}` }\n<a href=\"x\">&amp;</a>\n- 'y': 1 # z\nSELECT * FROM t; /* d */\n";
    for (const language of [
      "bash",
      "css",
      "diff",
      "go",
      "java",
      "js",
      "json",
      "php",
      "py",
      "sql",
      "tsx",
      "html",
      "yml",
    ]) {
      expect(
        highlight([code], language)
          ?.flat()
          .map(({ text }) => text)
          .join(""),
      ).toBe(code);
    }
  });

  it("returns undefined for code with a word of thousands of letters", () => {
    expect(highlight([`const a = ${"a".repeat(30_000)};`], "java")).toBeUndefined();
    expect(highlight([`const a = ${"a".repeat(1000)};`], "java")).toBeDefined();
  });

  it("returns undefined for an unknown language", () => {
    expect(highlight(["a"], "нет такого")).toBeUndefined();
  });
});
