/**
 * Each code block in each document is checked: it is run, type-checked, or its names are compared with existing ones. A block
 * that no check handles fails.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { allSnippets, documents } from "../docs-code.ts";
import type { Snippet } from "../docs-code.ts";
import { complaintsAboutCommands, knownCommands } from "./check-commands.ts";
import { typeErrorsIn } from "./check-types.ts";
import { illustrations, keepers } from "./keepers.ts";
import { surroundings } from "./surroundings.ts";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const keyOf = ({ document, heading, index }: Snippet) => `${document}#${heading}:${index}`;
const placeOf = ({ document, line }: Snippet) => `${document}:${line}`;

const snippets = allSnippets();
const keeperOf = (snippet: Snippet) =>
  keepers.find(({ language, documents, headings }) =>
    [
      language === snippet.language,
      documents.includes(snippet.document),
      headings === undefined || headings.includes(snippet.heading),
    ].every(Boolean),
  );
const unkept = snippets.filter((snippet) => keeperOf(snippet) === undefined);
const of = (...languages: readonly string[]) => unkept.filter(({ language }) => languages.includes(language));

it("The scan finds the blocks of code", () => {
  expect(snippets.length).toBeGreaterThan(80);
});

it("Each block has a check", () => {
  const checked = new Set(["ts", "tsx", "js", "jsx", "json", "sh", "ini", "html", "php", "css", "nginx"]);
  const unknown = unkept
    .filter((snippet) => !checked.has(snippet.language) && illustrations[keyOf(snippet)] === undefined)
    .map(
      (snippet) =>
        `${placeOf(snippet)}: no check knows this block of «${snippet.language || "no language"}». Write a test that runs it and name ` +
        `that test in tests/docs/keepers.ts, or, if it is no code, say there what it illustrates (${keyOf(snippet)}).`,
    );
  expect(unknown).toEqual([]);
});

describe("Names that are out of date", () => {
  it("are not among the tests that keep blocks", () => {
    const idle = keepers.flatMap(({ test, documents, headings = [] }) => {
      const text = read(test);
      const named = [...headings, ...documents.map((path) => path.replace(/^(docs|.*)\//, ""))];
      return named.filter((name) => !text.includes(name)).map((name) => `${test} does not name «${name}»`);
    });
    expect(idle).toEqual([]);
    expect(keepers.filter((keeper) => !snippets.some((snippet) => keeperOf(snippet) === keeper))).toEqual([]);
  });

  it("are not among the illustrations and the surroundings", () => {
    const keys = new Set(snippets.map(keyOf));
    expect([...Object.keys(illustrations), ...Object.keys(surroundings)].filter((key) => !keys.has(key))).toEqual([]);
  });
});

it("TypeScript and JavaScript match the types of the packages", async () => {
  const typed = of("ts", "tsx", "js", "jsx")
    .filter((snippet) => illustrations[keyOf(snippet)] === undefined)
    .map((snippet) => Object.assign({ snippet }, surroundings[keyOf(snippet)]));
  expect(typed.length).toBeGreaterThan(20);
  expect(await typeErrorsIn(typed)).toEqual([]);
});

it("JSON contains settings of projects, which nitka reads in another test", () => {
  const others = of("json").filter(({ code }) => !Object.hasOwn(JSON.parse(code) as object, "projects"));
  expect(others.map((snippet) => `${placeOf(snippet)}: say in tests/docs/keepers.ts which test reads it`)).toEqual([]);
});

it("commands name programs, scripts, options, settings and files that exist", () => {
  const known = knownCommands();
  const complaints = of("sh", "ini").flatMap((snippet) =>
    complaintsAboutCommands(snippet, known).map((complaint) => `${placeOf(snippet)}: ${complaint}`),
  );
  expect(complaints).toEqual([]);
});

it("no page that embeds the chat loses its address: inline chats name their routing", () => {
  const chats = of("html", "php").flatMap((snippet) =>
    [...snippet.code.matchAll(/"init", \{[^}]*\}|<nitka-chat[^>]*>/g)].map(([chat]) => `${placeOf(snippet)}: ${chat}`),
  );
  expect(chats.length).toBeGreaterThan(10);
  expect(chats.filter((chat) => !/layout(: |=)"launcher"|routing(: |=)"(hash|none)"/.test(chat))).toEqual([]);
});

it("README.ru.md links to the Russian pages that exist", () => {
  const links = [...read("README.ru.md").matchAll(/\]\(docs\/([\w-]+\.md)\)/g)].map(([, page = ""]) => page);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((page) => documents().includes(`docs/ru/${page}`))).toEqual([]);
});

it("HTML and PHP embed the chat, and a browser test opens it", () => {
  const others = of("html", "php").filter(({ code }) => !/<script async src="[^"]*\/widget\/nitka\.js"/.test(code));
  expect(others.map(placeOf)).toEqual([]);
});

it("stylesheets set properties and parts of the widget", () => {
  const tokens = read("packages/widget/src/styles/tokens.css");
  const { PARTS } = /PARTS[^{]*\{(?<PARTS>.*?)\n\}/s.exec(read("packages/widget/element-manifest.ts"))?.groups ?? {};
  const code = of("css").map((snippet) => snippet.code);
  const named = (pattern: RegExp) => code.flatMap((css) => [...css.matchAll(pattern)].map(([, name = ""]) => name));
  const properties = named(/(--nitka-[\w-]+):/g);
  const parts = named(/::part\((\w+)\)/g);
  expect(properties.length * parts.length).toBeGreaterThan(0);
  expect(properties.filter((name) => !tokens.includes(`  ${name}:`))).toEqual([]);
  expect(parts.filter((name) => !PARTS?.includes(`\n  ${name}:`))).toEqual([]);
});

it("lines for nginx are those of deploy/nginx.conf, whose tests run nginx", () => {
  const own = new Set(read("deploy/nginx.conf").split("\n").map(directive));
  const others = of("nginx").flatMap((snippet) =>
    snippet.code
      .split("\n")
      .map(directive)
      .filter((line) => line !== "" && !own.has(line))
      .map((line) => `${placeOf(snippet)}: ${line}`),
  );
  expect(of("nginx").length).toBeGreaterThan(0);
  expect(others).toEqual([]);
});

/** A line of nginx without indentation and comment, with one placeholder for the sample's addresses. */
function directive(line: string): string {
  return line
    .replace(/#.*$/, "")
    .trim()
    .replaceAll(/\s+/g, " ")
    .replace(/^server \S+?:\d+/, "server ADDRESS")
    .replace(/^proxy_pass http:\/\/(nitka|127\.0\.0\.1:\d+)/, "proxy_pass ADDRESS");
}

it("no command installs our packages from npm, which has none", () => {
  const taken = snippets
    .filter(({ language }) => language === "sh")
    .flatMap((snippet) => snippet.code.split("\n").map((line) => `${placeOf(snippet)}: ${line}`))
    .filter((line) => /\b(npx|npm (install|i|exec)( -\S+| --\S+)*) (nitka|@nitka\/)/.test(line));
  expect(taken).toEqual([]);
});

it("the pages about themes write the full name of each property, and the widget has that property", () => {
  const tokens = read("packages/widget/src/styles/tokens.css");
  for (const page of ["docs/theming.md", "docs/ru/theming.md"]) {
    const cells = [...read(page).matchAll(/`(-[\w-]+)`/g)].map(([, name = ""]) => name);
    expect(cells.length).toBeGreaterThan(20);
    expect([page, cells.filter((name) => !tokens.includes(`  ${name}:`))]).toEqual([page, []]);
  }
});

it("the Russian page of the configuration has every setting of the program", () => {
  const named = (page: string) => {
    const rows = [...read(page).matchAll(/^\| ((?:`[A-Z][A-Z0-9_]+` ?)+)/gm)].map(([, cell = ""]) => cell);
    return rows.flatMap((cell) => cell.match(/[A-Z][A-Z0-9_]+/g) ?? []).toSorted();
  };
  expect(named("docs/configuration.md").length).toBeGreaterThan(25);
  expect(named("docs/ru/configuration.md")).toEqual(
    [...new Set([...named("docs/configuration.md"), "AWS_SESSION_TOKEN"])].toSorted(),
  );
});
