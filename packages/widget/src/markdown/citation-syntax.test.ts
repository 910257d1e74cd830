import { expect, it } from "vitest";
import type { CitationSyntax } from "./citation-node.ts";
import { createCitationSyntax } from "./citation-syntax.ts";
import { createParser } from "./parse-markdown.ts";

const labels = { isLinkDefined: () => false, isFootnoteDefined: () => false };

/** The text with each citation as `<n>`. */
function cited(text: string, ...numbers: readonly number[]) {
  return citedBy(createCitationSyntax(new Map(numbers.map((n) => [n, { href: "/", label: "" }]))), text);
}

function citedBy(syntax: CitationSyntax, text: string) {
  const blocks = createParser(labels, undefined, syntax)(text);
  const read = (node: object): string => {
    if ("children" in node && Array.isArray(node.children)) return node.children.map(read).join("");
    const { type, value } = node as { readonly type: string; readonly value?: string };
    return type === "citation"
      ? `${"before" in node ? String(node.before).slice(0, -1) : ""}<${value}>`
      : (value ?? "");
  };
  return { text: blocks.map(({ node }) => read(node)).join("|"), missing: [...syntax.missing] };
}

it.each([
  ["Два дня [1].", "Два дня <1>."],
  ["[1][2] и [2, 1], [1,2]", "<1><2> и <2><1>, <1><2>"],
  ["**жирно [1]**, *[2]*", "жирно <1>, <2>"],
  ["- пункт [1]\n- пункт [2]", "пункт <1>пункт <2>"],
  ["| а [1] | б |\n| - | - |\n| [2] | в |", "а <1>б<2>в"],
  ["`[1]` и [2]", "[1] и <2>"],
  ["```\n[1]\n```", "[1]"],
  ["[ссылка [1]](https://a.example/)", "ссылка [1]"],
  ["В [2024] году, [0], [x], [1.5]", "В [2024] году, [0], [x], [1.5]"],
])("in «%s» links the numbers that sources have, outside of code and links", (text, expected) => {
  expect(cited(text, 1, 2).text).toBe(expected);
});

it("does not change a list of numbers until all of them have a source, and reports the missing ones", () => {
  expect(cited("Да [1, 3]. Нет [4].", 1, 2)).toEqual({ text: "Да [1, 3]. Нет [4].", missing: [3, 4] });
});

it("takes a number without a source for a citation while its source may still arrive", () => {
  const syntax = createCitationSyntax(new Map([[1, { href: "/", label: "" }]]), true);
  expect(citedBy(syntax, "Да [1, 3].")).toEqual({ text: "Да <1><3>.", missing: [3] });
});
