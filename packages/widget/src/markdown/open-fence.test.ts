// @vitest-environment node
import { describe, expect, it } from "vitest";
import { continueFence, endFence, openFence, toCodeBlock } from "./open-fence.ts";

function open(source: string) {
  const opened = openFence(source, "js");
  if (!opened) throw new Error("The text does not begin with a fence.");
  return continueFence(opened.fence, opened.rest);
}

describe("an open fence", () => {
  it("begins once its first line is complete", () => {
    expect(openFence("```js", "js")).toBeUndefined();
    expect(openFence("text\n", "js")).toBeUndefined();
    expect(openFence("```js\n", "js")?.rest).toBe("");
  });

  it("ends with a line of at least as many of the same characters", () => {
    expect(open("````\n```\n~~~~\n````x\n    ````\n").rest).toBeUndefined();
    expect(open("````\na\n  `````  \nafter").rest).toBe("after");
    expect(open("~~~ js\na\n~~~\n").rest).toBe("");
  });

  it("removes its own indentation from each line", () => {
    expect(toCodeBlock(open("  ```\n  a\n b\n    c\n\td\n").fence, true).pieces).toEqual(["a\nb\n  c\n  d"]);
  });

  it("does not show a last line that may become the closing fence", () => {
    expect(toCodeBlock(open("```\na\n``").fence, false).pieces).toEqual(["a"]);
    expect(toCodeBlock(open("```\na\n``x").fence, false).pieces).toEqual(["a\n``x"]);
  });

  it("keeps full pieces of 50 lines as the same strings", () => {
    const lines = Array.from({ length: 120 }, (_, index) => `line ${index}\n`);
    const first = open(`\`\`\`\n${lines.slice(0, 60).join("")}`).fence;
    const later = continueFence(first, lines.slice(60).join("")).fence;
    expect(toCodeBlock(later, false).pieces).toEqual([
      lines.slice(0, 50).join(""),
      lines.slice(50, 100).join(""),
      lines.slice(100).join("").trimEnd(),
    ]);
    expect(later.pieces[0]).toBe(first.pieces[0]);
  });

  it("is closed by the end of the text, with or without a closing fence", () => {
    expect(endFence(open("```\na\n```").fence)).toEqual({ type: "code", language: "js", pieces: ["a"], closed: true });
    expect(endFence(open("```\na\nb").fence)).toEqual({ type: "code", language: "js", pieces: ["a\nb"], closed: true });
    expect(endFence(open("```\n").fence)).toEqual({ type: "code", language: "js", pieces: [""], closed: true });
  });
});
