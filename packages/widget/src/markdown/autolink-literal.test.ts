// @vitest-environment node
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { expect, it, test } from "vitest";
import { createParser } from "./parse-markdown.ts";

test.each([
  'https://a.b/c see https://a.b/c. (https://a.b/c) "https://a.b" —https://a.b',
  "[https://a.b/c] [www.a.b] [a@b.co] [y][https://a.b] [see www.a.b/c](/d) [x https://a.b y](z) [1]https://a.b",
  "a@b.co (a@b.co) a_b@c.de a.b@c.de. -a@b.co a+b@c.de a@b_c.d a@b.c1 почта:a@b.co ,a@b.co /a@b.co x/a@b.co",
  "текстhttps://a.b 1https://a.b ahttps://a.b x/https://a.b =https://a.b >https://a.b :https://a.b ;www.a.b /www.a.b",
  "_https://a.b_ **https://a.b** ~https://a.b~ `https://a.b` https://a.b*c* *a*https://a.b \\https://a.b",
  "https://пример.рф/путь http://localhost:3000/x https://a http://a_b.c/d [http://a.b_c] [http://_.b] [http://a.] [http://a..]",
  "[https://a.b/c_(d)] [https://a.b/c)] [(https://a.b/(c))] [https://a.b/(c)d)).] [https://a.b/c?!] [https://a.b/&amp;]",
  "FTP://a.b HTTPS://A.B [HTTPS://A.B] [WWW.A.B] [www.] [www..] [https://] [https://.] www.a.b/[c] [www.a.b",
  "mailto:a@b.co xmpp:a@b.co/x https://user@a.b a@b.co/c ![https://a.b](c) <https://a.b>",
  "- [https://a.b]\n  # [www.c.d]\n\n| [https://a.b] | [b@c.de] |\n|-|-|\n\nx[^1]\n\n[^1]: [https://a.b]",
])("%s", (text) => {
  const library = fromMarkdown(text, {
    extensions: [gfm({ singleTilde: false })],
    mdastExtensions: gfmFromMarkdown(),
  });
  expect(parsed(text).map(plain)).toEqual(library.children.map(plain));
});

test.each([
  ["«https://a.b/c» и", "https://a.b/c"],
  ["«https://a.b/c».", "https://a.b/c"],
  ["(см. «www.a.b/c».)", "http://www.a.b/c"],
  ["“https://a.b/c” ‘https://a.b/d’", "https://a.b/c https://a.b/d"],
  ["„https://a.b/c“", "https://a.b/c"],
  ["https://a.b/c… **https://a.b/d…**", "https://a.b/c https://a.b/d"],
  ["请看https://a.b/c，www.a.b/d。", "https://a.b/c http://www.a.b/d"],
  ["（https://a.b/c）「https://a.b/d」", "https://a.b/c https://a.b/d"],
  ["[«https://a.b/c»] ;www.a.b/d»", "https://a.b/c http://www.a.b/d"],
  ["https://a.b/(c) «https://a.b/(c)» https://a.b/«c»/d", "https://a.b/(c) https://a.b/(c) https://a.b/«c»/d"],
])("the quotes and marks of the sentence are no part of an address: %s", (text, urls) => {
  expect(parsed(text).flatMap(linksIn).join(" ")).toBe(urls);
  expect(parsed(text).map(textOf).join("")).toBe(text.replaceAll("**", ""));
});

it("takes no more than ten times as long for a run of plus signs before an @ as for one without it", () => {
  const signs = "+".repeat(60_000);
  // CPU time of this thread: on a busy machine another process may have the core meanwhile.
  const time = (text: string) => {
    const from = process.threadCpuUsage();
    parsed(text);
    return process.threadCpuUsage(from).user / 1000;
  };
  time(signs);
  expect(time(`${signs}@`)).toBeLessThan(10 * time(signs) + 100);
});

function parsed(text: string): readonly Nodes[] {
  const parse = createParser({ isLinkDefined: () => false, isFootnoteDefined: () => true });
  return parse(text).map(({ node }) => node);
}

function linksIn(node: Nodes): readonly string[] {
  if (node.type === "link") return [node.url];
  return "children" in node ? node.children.flatMap(linksIn) : [];
}

function textOf(node: Nodes): string {
  if ("children" in node) return node.children.map(textOf).join("");
  return "value" in node ? node.value : "";
}

/** The node without positions, with neighbouring texts joined. */
function plain(node: Nodes): unknown {
  const { position: _, ...rest } = node;
  if (!("children" in node)) return rest;
  const children: Nodes[] = [];
  for (const child of node.children) {
    const last = children.at(-1);
    if (child.type === "text" && last?.type === "text")
      children[children.length - 1] = { ...last, value: last.value + child.value };
    else children.push(child);
  }
  return { ...rest, children: children.map(plain) };
}
