// @vitest-environment node
import hljs from "highlight.js/lib/core";
import { describe, expect, it } from "vitest";
import { loadChunk } from "../../load-chunk.ts";
import { createHighlight } from "./highlight.ts";
import { createLanguages } from "./languages.ts";

const languages = createLanguages(loadChunk);
const highlight = createHighlight(loadChunk);

/** Code of many languages in one. */
const MIXED = "interface A { b: `${c}` }\n<a href=\"x\">&amp;</a>\n- 'y': 1 # z\nSELECT * FROM t; /* d */\n";

/** A highlighter that has loaded nothing yet, and the languages that it loads, in alphabetical order. */
function fresh() {
  const loaded = new Set<string>();
  const watched = Object.entries(languages).map(([name, language]) => {
    const load = () => {
      loaded.add(name);
      return language.load();
    };
    return [name, { ...language, load }] as const;
  });
  return { highlight: createHighlight(loadChunk, Object.fromEntries(watched)), loaded: () => [...loaded].toSorted() };
}

describe("highlighting", () => {
  it("returns tokens with their kinds", async () => {
    expect(await highlight(["const a = 'b';"], "ts")).toEqual([
      [
        { text: "const", kind: "keyword" },
        { text: " a = ", kind: undefined },
        { text: "'b'", kind: "string" },
        { text: ";", kind: undefined },
      ],
    ]);
  });

  it("cuts tokens where the pieces are cut", async () => {
    const pieces = ["/* one\n", "two */ const a = `x\n", "${1}`"];
    const tokens = await highlight(pieces, "javascript");
    expect(tokens?.map((piece) => piece.map(({ text }) => text).join(""))).toEqual(pieces);
    expect(tokens?.[1]?.[0]).toEqual({ text: "two */", kind: "comment" });
  });

  it.each(Object.keys(languages))("returns every character of the code, in %s", async (language) => {
    const tokens = await highlight([MIXED], language);
    expect(
      tokens
        ?.flat()
        .map(({ text }) => text)
        .join(""),
    ).toBe(MIXED);
  });

  it("returns undefined for code with a word of thousands of letters", async () => {
    expect(await highlight([`const a = ${"a".repeat(30_000)};`], "java")).toBeUndefined();
    expect(await highlight([`const a = ${"a".repeat(1000)};`], "java")).toBeDefined();
  });

  it.each(["нет такого", "", "constructor"])("returns undefined for an unknown language: «%s»", async (language) => {
    expect(await highlight(["a"], language)).toBeUndefined();
  });
});

describe("the languages", () => {
  it.each(Object.entries(languages))("%s has the aliases of its grammar", async (_, { aliases, load }) => {
    const grammar = await load();
    expect(aliases).toEqual(grammar.default(hljs).aliases ?? []);
  });

  it.each([
    ["sh", "echo 1", ["bash"]],
    ["Python", "import a", ["python"]],
    ["ts", "const a = 1 < 2;", ["typescript"]],
    ["svg", "<g><path/></g>", ["xml"]],
    ["C++", "int a = 1;", ["cpp"]],
    ["cs", "var a = 1;", ["csharp"]],
    ["rs", "let a = 1;", ["rust"]],
    ["toml", "a = 1", ["ini"]],
  ])("of %s code is loaded alone", async (language, code, expected) => {
    const { highlight: first, loaded } = fresh();
    await first([code], language);
    expect(loaded()).toEqual(expected);
  });

  it.each([
    ["jsx", "const a = <b title='c'>d</b>;", ["javascript", "xml"], { text: "title", kind: "name" }],
    ["tsx", "return <><i/></>;", ["typescript", "xml"], { text: "<><i/></>", kind: "keyword" }],
    ["js", "const a = html`<b>c</b>`;", ["javascript", "xml"], { text: "<b>", kind: "keyword" }],
    ["ts", "const a = css`i { color: red }`;", ["css", "typescript"], { text: "color", kind: "number" }],
    ["console", "$ if true; then echo a; fi", ["bash", "shell"], { text: "echo", kind: "name" }],
    ["dockerfile", 'RUN echo "a"', ["bash", "dockerfile"], { text: '"a"', kind: "string" }],
    ["html", "<style>i { color: red }</style>", ["css", "xml"], { text: "color", kind: "number" }],
    ["html", "<SCRIPT>let a;</SCRIPT>", ["javascript", "xml"], { text: "let", kind: "keyword" }],
    [
      "html",
      "<script>const a = css`i { color: red }`;</script>",
      ["css", "javascript", "xml"],
      { text: "color", kind: "number" },
    ],
  ])("that %s code embeds are loaded with it: %s", async (language, code, expected, token) => {
    const { highlight: first, loaded } = fresh();
    const tokens = await first([code], language);
    expect(loaded()).toEqual(expected);
    expect(tokens?.flat()).toContainEqual(token);
  });

  it("are loaded again for the next code after a failed load", async () => {
    const { go } = languages;
    let failures = 1;
    const load = () => {
      failures -= 1;
      return failures < 0 && go ? go.load() : Promise.reject(new Error("The network is away."));
    };
    const unlucky = createHighlight(loadChunk, { go: { aliases: [], load } });
    await expect(unlucky(["return"], "go")).rejects.toThrow("The network is away.");
    expect(await unlucky(["return"], "go")).toEqual([[{ text: "return", kind: "keyword" }]]);
  });
});
