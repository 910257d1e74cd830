// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { Block } from "./block.ts";
import { isFormula } from "./math/is-formula.ts";
import { createMarkdownDocument } from "./markdown-document.ts";
import type { MathSyntax } from "./math/math-node.ts";
import { createMathSyntax } from "./math/math-syntax.ts";
import { cut, formulaScraps, pick, randomNumbers, scraps } from "./scripted-text.ts";
import { plainBlock, wholeParse } from "./whole-parse.ts";

const folder = join(import.meta.dirname, "fixtures");
const corpus = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));

describe("a streamed document equals the whole parse, block by block", () => {
  const ways: readonly (readonly [string, (text: string) => string])[] = [
    ["as written", (text) => text],
    ["with CRLF", (text) => text.replaceAll("\n", "\r\n")],
    ["with CR", (text) => text.replaceAll("\n", "\r")],
  ];
  for (const [name, change] of ways) {
    it(`${name}, wherever it is cut`, () => {
      const random = randomNumbers(1);
      for (const text of corpus.map(change)) {
        const whole = wholeParse(text);
        for (const longest of [6, 80, 700]) expect(streamed(cut(text, longest, random))).toEqual(whole);
      }
    });
  }

  it("character by character, at every prefix", () => {
    const text =
      "# A\nb *c*\n- d\n  - e\n\n1. f\n\n   g\n> h\ni\n\n| j |\n|-|\n| [k] |\n\n```l\nm\n```\n[k]: /n\n'o'\n\n[^p] ~~q~~\n---\n[^p]: 😀\r\n";
    for (let end = 1; end <= text.length; end += 1) {
      const prefix = text.slice(0, end);
      expect({ prefix, blocks: streamed(prefix.split("")) }).toEqual({ prefix, blocks: wholeParse(prefix) });
    }
  });

  it("at prefixes of long documents", () => {
    const random = randomNumbers(2);
    for (const text of corpus) {
      for (let end = 1; end < text.length; end += 1 + Math.floor(random() * 90)) {
        const prefix = text.slice(0, end);
        expect({ end, blocks: streamed(cut(prefix, 500, random)) }).toEqual({ end, blocks: wholeParse(prefix) });
      }
    }
  });

  it("for random text", () => {
    const random = randomNumbers(3);
    for (let round = 0; round < 100; round += 1) {
      const text = Array.from({ length: 1 + random() * 25 }, () => pick(scraps, random)).join("");
      const pieces = cut(text, random() < 0.3 ? 1 : 12, random);
      expect({ pieces, blocks: streamed(pieces) }).toEqual({ pieces, blocks: wholeParse(text) });
    }
  });

  it("for random text with formulas", () => {
    const random = randomNumbers(5);
    const math = createMathSyntax(isFormula);
    for (let round = 0; round < (process.env["NITKA_THOROUGH"] === undefined ? 130 : 400); round += 1) {
      const kinds = random() < 0.5 ? formulaScraps : [...scraps, ...formulaScraps];
      const text = Array.from({ length: 1 + random() * 20 }, () => pick(kinds, random)).join("");
      const pieces = cut(text, random() < 0.5 ? 1 : 12, random);
      expect({ pieces, blocks: streamed(pieces, math) }).toEqual({ pieces, blocks: wholeParse(text, math) });
    }
  });

  // Each of these was a bug once, reduced to the shortest text.
  test.each([
    "[foo]: /url\n'title\nmore'\n\ntext",
    "[a]: /url\n<br>\n--",
    "[a]:l\n    ~\n",
    "    code\n\n0.\n",
    "    code\n2)\n",
    "text\n- 2)\n[a]\n\n[a]: /u\n",
    ">\n    g\n    h",
    "foo\n| a |\n|- x",
    "foo\n| a |\n|-|\n| b |\n",
    " ~~~\n\n ",
    "``;`",
    "e\n0.\n-|\n",
    "- a\n- [a]\n- b\n\n[a]: /u\n",
    "| a |\n|-|\n| [a] |\n| b |\n| c |\n\n[a]: /u\n",
    "| [a] |\n|-|\n| a |\n| b |\n| c |\n\n[a]: /u\n",
    "[x]\n\n[x]: /first\n[x]: /second\n",
    "a\uFEFF\n\n\uFEFFb\n\nc\n",
    "\uFEFF# a\n",
    "``` a`b\nc\n",
    "null \0 here\n```\n\0\n```\n",
    "![^] ![^ ](a) [^] ![^][b]\n",
    "**注意：**请\n- 请**「注意」**，~~删除：~~请\n",
    "3.\n\n    1\n    2\n_\n",
    "-\n\n    o\n3.\n",
    "100. a\n\n    1\n    2\n",
    "[^]:***](![^!`\n|-|-|\n~~/u!(]1. http://a.b/[^***[^1]: ",
  ])("%j", (text) => {
    const whole = wholeParse(text);
    expect(streamed(text.split(""))).toEqual(whole);
    expect(streamed([text])).toEqual(whole);
  });

  it("when a definition comes after the row, or the item, that names it was closed", () => {
    const text = `| [a] | h |\n|-|-|\n| [a] | 1 |\n| 2 | ![a] |\n${"| b | c |\n".repeat(4)}\n1. x\n2. [a]\n3. y\n\n[a]: /u\n`;
    expect(streamed(text.split(""))).toEqual(wholeParse(text));
  });
});

describe("what is closed stays the same", () => {
  it("groups and blocks are the same objects while later text comes in", () => {
    const document = createMarkdownDocument();
    document.append("paragraph\n\n".repeat(40));
    const before = document.snapshot().blocks;
    document.append("and *more*");
    const after = document.snapshot().blocks;
    expect(after[0]).toBe(before[0]);
    expect(after[1]?.slice(0, 7)).toEqual(before[1]?.slice(0, 7));
    expect(after[1]?.slice(0, 7).every((block, index) => block === before[1]?.[index])).toBe(true);
  });

  it("items of a list and rows of a table too", () => {
    const list = createMarkdownDocument();
    list.append("- item\n".repeat(70));
    const items = partsOf(list.snapshot().blocks[0]?.[0]);
    list.append("- more");
    expect(partsOf(list.snapshot().blocks[0]?.[0])[1]).toBe(items[1]);

    const table = createMarkdownDocument();
    table.append(`| a |\n| - |\n${"| cell |\n".repeat(70)}`);
    const rows = partsOf(table.snapshot().blocks[0]?.[0]);
    table.append("| more");
    expect(partsOf(table.snapshot().blocks[0]?.[0])[1]).toBe(rows[1]);
  });

  it("a long list, table or block of code is not parsed again as a whole", () => {
    for (const line of ["- item\n", "| a |\n", "1. item\n\n   text\n"]) {
      const document = createMarkdownDocument();
      document.append(line.startsWith("|") ? "| h |\n| - |\n" : "");
      document.append(line.repeat(500));
      expect(document.openLength()).toBeLessThanOrEqual(2 * line.length);
    }
    const code = createMarkdownDocument();
    code.append("```js\n");
    code.append("call();\n".repeat(500));
    expect(code.openLength()).toBeLessThanOrEqual(50 * "call();\n".length);
  });

  it.each([
    ["# A\n\nSome", "# A\n\nSome"],
    ["# A\n\nSome\n", "Some\n"],
    ["a\n\nb", "a\n\nb"],
    ["a\n- b\n", "- b\n"],
    ["a\n<br>\n", "a\n<br>\n"],
    ["a\n<div>\n", "a\n<div>\n"],
    ["a\n- 2) b\n", "a\n- 2) b\n"],
    ["[a]: /u\n'", "[a]: /u\n'"],
    ["- a\n- b\n- c\n", "- c\n"],
    ["| a |\n|-|\n| 1 |\n| 2", "| 2"],
    ["```js\ncall();\n", "call();\n"],
  ])("%j has the tail %j", (text, tail) => {
    const document = createMarkdownDocument();
    document.append(text);
    expect(document.openLength()).toBe(tail.length);
  });

  it("a later definition changes only the blocks that refer to it", () => {
    const document = createMarkdownDocument();
    document.append("see [docs]\n\nother [thing]\n\nlast\n\n");
    const [before] = document.snapshot().blocks;
    expect(before?.[0]).toEqual({
      type: "plain",
      node: { type: "paragraph", children: [{ type: "text", value: "see [docs]" }] },
    });
    document.append("[docs]: https://example.com\n\nend\n");
    const [after] = document.snapshot().blocks;
    expect(after?.[0]).toEqual({
      type: "plain",
      node: {
        type: "paragraph",
        children: [
          { type: "text", value: "see " },
          { type: "link", url: "https://example.com", title: null, children: [{ type: "text", value: "docs" }] },
        ],
      },
    });
    expect(after?.[1]).toBe(before?.[1]);
  });
});

it("a reference becomes a link once, when no later text can change its definition", () => {
  const text = "See [docs][1] and [docs].\n\n[1]: https://example.com 'title'\n[docs]: /docs\n\nEnd.\n";
  const document = createMarkdownDocument();
  const shown: string[] = [];
  for (const char of text) {
    document.append(char);
    const links = JSON.stringify(document.snapshot().blocks[0]?.[0]).match(/"url":"(?!pending:)[^"]*"/g) ?? [];
    if (links.join(" ") !== shown.at(-1)) shown.push(links.join(" "));
  }
  expect(shown).toEqual(["", '"url":"https://example.com"', '"url":"https://example.com" "url":"/docs"']);
});

describe("footnotes", () => {
  const text = "A[^b] and[^a] and[^b].\n\n[^a]: see[^c]\n[^b]: bee\n[^c]: sea\n[^d]: never mentioned\n";

  it("are numbered by their first reference, those referred to in footnotes last", () => {
    const document = createMarkdownDocument();
    document.append(text);
    document.finish();
    const { numbers, notes, firsts } = document.snapshot().footnotes;
    expect([...numbers]).toEqual([
      ["b", 1],
      ["a", 2],
      ["c", 3],
    ]);
    expect(notes.map(({ identifier }) => identifier)).toEqual(["b", "a", "c"]);
    expect(firsts.size).toBe(3);
  });

  it("are footnotes at once, and plain text if their definition never comes", () => {
    const document = createMarkdownDocument();
    document.append("Known[^1], unknown[^2].\n\nNext\n\n");
    expect(JSON.stringify(document.snapshot().blocks)).toContain('"footnoteReference","identifier":"2"');
    document.append("[^1]: note");
    document.finish();
    expect(document.snapshot().footnotes.notes).toHaveLength(1);
    expect(document.snapshot().blocks[0]?.[0]).toEqual({
      type: "plain",
      node: {
        type: "paragraph",
        children: [
          { type: "text", value: "Known" },
          { type: "footnoteReference", identifier: "1", label: "1" },
          { type: "text", value: ", unknown[^2]." },
        ],
      },
    });
  });

  it("are the same object while they do not change", () => {
    const document = createMarkdownDocument();
    document.append("One[^1].\n\n[^1]: note\n\nText\n");
    const before = document.snapshot().footnotes;
    document.append("goes on.\n\nMore");
    expect(document.snapshot().footnotes).toBe(before);
  });
});

describe("hostile text", () => {
  const hostile: Readonly<Record<string, string>> = {
    quotes: "> ".repeat(10_000),
    brackets: `${"[".repeat(10_000)}a${"]".repeat(10_000)}`,
    "list in list": "- ".repeat(10_000),
    "indented lists": Array.from({ length: 400 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n"),
    "open emphasis": "*a **b _c ".repeat(1000),
    "closing emphasis": "a** b* ".repeat(1000),
    "crossing emphasis": "*a_ ".repeat(1000),
    backticks: Array.from({ length: 100 }, (_, length) => "`".repeat(length + 1)).join(" "),
    "open links": "[a](b ".repeat(1000),
    "lazy lines": `> a\n${"b\n".repeat(5000)}`,
    "wide table": `${"|a".repeat(500)}|\n${"|-".repeat(500)}|\n${"|b".repeat(500)}|`,
    "long table": `| a |\n| - |\n${"| b |\n".repeat(2000)}`,
    comment: `a\n\n<!-- ${"a\n".repeat(5000)}`,
    "one word": "ы".repeat(100_000),
  };
  test.each(Object.entries(hostile))("%s is shown, and does not throw", (_, text) => {
    for (const pieces of [[text], cut(text, 20_000, randomNumbers(4))]) {
      const document = createMarkdownDocument();
      for (const piece of pieces) {
        document.append(piece);
        expect(document.snapshot().blocks.length).toBeGreaterThan(0);
      }
      document.finish();
      expect(depthOf(document.snapshot().blocks)).toBeLessThan(900);
    }
  });
});

test.each(["1. - a\n", "- 2) a\n", "*_- [ ] \n1. - ", "- <b>\n", "- a\n  > 1) b\n", "> - a\n# b\n"])(
  "what follows a whole line is not read again with it: %j, repeated",
  (unit) => {
    const document = createMarkdownDocument();
    document.append(unit.repeat(100));
    expect(document.openLength()).toBeLessThan(unit.length * 4);
    document.finish();
    expect(document.snapshot().blocks.flat().map(plainBlock)).toEqual(wholeParse(unit.repeat(100)));
  },
);

test.each(["> 1. - a\n", "> - a\n", "> [^a]: b\n"])(
  "hundreds of items or footnotes in one quote are plain text: %j, repeated",
  (unit) => {
    const document = createMarkdownDocument();
    const types = () =>
      document
        .snapshot()
        .blocks.flat()
        .map(({ type, ...block }) => ("node" in block ? block.node.type : type));
    document.append(unit.repeat(50));
    expect(types()).toEqual(["blockquote"]);
    document.append(unit.repeat(600));
    expect(types()).toEqual(["paragraph"]);
  },
);

it("has no byte order mark at its beginning, also after empty pieces", () => {
  expect(streamed(["", "\uFEFF# a\n"])).toEqual(wholeParse("# a\n"));
});

it("throws at text after its end", () => {
  const document = createMarkdownDocument();
  document.append("a");
  document.finish();
  expect(() => document.append("b")).toThrow("is finished");
});

function streamed(pieces: readonly string[], math?: MathSyntax): readonly unknown[] {
  const document = createMarkdownDocument(math);
  for (const piece of pieces) {
    document.append(piece);
    document.snapshot();
  }
  document.finish();
  return document.snapshot().blocks.flat().map(plainBlock);
}

function partsOf(block: Block | undefined): readonly (readonly unknown[])[] {
  if (block?.type === "list") return block.items;
  return block?.type === "table" ? block.rows : [];
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
