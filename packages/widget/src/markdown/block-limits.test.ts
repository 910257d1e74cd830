// @vitest-environment node
import { expect, test } from "vitest";
import { exceedsBlockLimits, hasTooManyBlocks } from "./block-limits.ts";
import { createMarkdownDocument } from "./markdown-document.ts";
import { cut, randomNumbers } from "./scripted-text.ts";

function typesOf(text: string, longest: number): readonly string[] {
  const document = createMarkdownDocument();
  for (const piece of cut(text, longest, randomNumbers(5))) document.append(piece);
  const shown = document.snapshot().blocks.flat().length;
  document.finish();
  const blocks = document.snapshot().blocks.flat();
  expect(blocks.length).toBeGreaterThanOrEqual(shown);
  return blocks.map((block) => (block.type === "plain" ? block.node.type : block.type));
}

test.each<[string, string, string]>([
  ["100,000 characters, of which a line costs 90", "a".repeat(99_910), "a"],
  ["as many lines as that", "a\n".repeat(1085), "a\n"],
  ["63 quotes in one another", "> ".repeat(63), "> "],
  ["63 items in one another", "- ".repeat(63), "1. "],
  ["400 items inside another", "  - a\n".repeat(400), "  - a\n"],
  ["400 footnotes in a quote", "> [^1]: a\n".repeat(400), "> [^1]: a\n"],
])("an open block has at most %s", (_, most, more) => {
  expect([exceedsBlockLimits(most), exceedsBlockLimits(most + more)]).toEqual([false, true]);
});

test("an answer has at most a thousand blocks, or one for each twenty characters", () => {
  expect([hasTooManyBlocks(1000, 0), hasTooManyBlocks(1001, 20_019), hasTooManyBlocks(1001, 20_020)]).toEqual([
    false,
    true,
    false,
  ]);
});

test.each([
  ["- a\n", "list"],
  ["[a]: b\n", "definition"],
  ["[^a]: b\n\n", "footnoteDefinition"],
  ["> a\n\n", "blockquote"],
  ["- - a\n", "list"],
  ["# a\n", "heading"],
])("after a thousand tiny blocks the rest is plain text: %j, repeated", (unit, type) => {
  for (const longest of [20, 20_000]) {
    expect(new Set(typesOf(unit.repeat(500), longest))).toEqual(new Set([type]));
    const types = typesOf(unit.repeat(2500), longest);
    expect(types[0]).toBe(type);
    expect(types.at(-1)).toBe("paragraph");
  }
});

test("the head of a table is shown once", () => {
  const document = createMarkdownDocument();
  document.append(`|the head|\n|-|\n${"|a|\n".repeat(3000)}`);
  document.finish();
  expect(JSON.stringify(document.snapshot().blocks).match(/the head/g)).toHaveLength(1);
});

test.each(["- a line of a long list\n", "1. слово и его перевод\n", "| a row | of a table |\n"])(
  "a long list or table is not: %j, repeated",
  (unit) => {
    const head = unit.startsWith("|") ? `${unit}|-|-|\n` : "";
    expect(typesOf(head + unit.repeat(2000), 5000)).toEqual([head ? "table" : "list"]);
  },
);
