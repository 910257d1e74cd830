// @vitest-environment node
import type { Nodes } from "mdast";
import { expect, test } from "vitest";
import { isFormula } from "./math/is-formula.ts";
import { createMathSyntax } from "./math/math-syntax.ts";
import { createParser } from "./parse-markdown.ts";

const parse = createParser(
  { isLinkDefined: (label) => label === "x", isFootnoteDefined: () => true },
  createMathSyntax(isFormula),
);

/** The node types in the paragraphs of a text. */
function typesIn(text: string): readonly string[] {
  return parse(text).flatMap(({ node }) => ("children" in node ? node.children.map(({ type }) => type) : []));
}

function textIn(node: Nodes): string {
  if ("children" in node) return node.children.map(textIn).join("");
  return "value" in node ? node.value : "";
}

/** Longer than a formula may be. */
const words = "words ".repeat(400);

test.each([
  ["~~<!-- a ", "", "<br>", "html"],
  ["~~<?a ", "", "<br>", "html"],
  ["a [a](b (", "", "[c](d)", "link"],
  ["a \\(b ", words, "\\(c^2\\)", "math"],
  ["a $$b ", words, "$$c^2$$", "math"],
])("after ten in vain, %j is not searched for its end again in the same paragraph", (opening, between, whole, type) => {
  expect(typesIn(`${opening.repeat(5)}\n\n${whole} b`)).toContain(type);
  expect(typesIn(`${whole} ${opening.repeat(20)}`)).toContain(type);
  expect(typesIn(`${opening.repeat(20)}${between}${whole} b`)).not.toContain(type);
  expect(typesIn(`${opening.repeat(20)}\n\n${whole} b`)).toContain(type);
});

test("after ten in vain the next is still searched for its end, and after eleven it is not", () => {
  expect(typesIn(`${"a [a](b (".repeat(10)}[c](d) b`)).toContain("link");
  expect(typesIn(`${"a [a](b (".repeat(11)}[c](d) b`)).not.toContain("link");
});

test.each([
  ["&amp; ", "&"],
  ["\\! ", "!"],
  ["$a^2$ ", "$a^2$"],
  ["*a* ", "a"],
  ["[x] ", "x"],
  ["`a` ", "a"],
])("of hundreds of %j the last are plain characters", (unit, read) => {
  const [paragraph] = parse(unit.repeat(1000));
  const text = paragraph ? textIn(paragraph.node) : "";
  const last = paragraph && "children" in paragraph.node ? paragraph.node.children.at(-1)?.type : undefined;
  expect(last).toBe("text");
  expect(text.startsWith(`${read} ${read}`)).toBe(true);
  expect(text.endsWith(`${unit}${unit}`.trim())).toBe(true);
});

test("a paragraph has at most 160 markers of a kind", () => {
  const [paragraph] = parse("&amp; ".repeat(161));
  expect(paragraph && textIn(paragraph.node)).toBe(`${"& ".repeat(160)}&amp;`);
});

test("a marker beyond its limit takes nothing from other markers", () => {
  expect(typesIn(`${"*a* ".repeat(200)}\`b\` [x] c\n~~d~~`).slice(-6)).toEqual([
    "text",
    "inlineCode",
    "text",
    "linkReference",
    "text",
    "delete",
  ]);
});
