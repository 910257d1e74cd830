import type { Message } from "@nitka/protocol";
import type { RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, it } from "vitest";
import { isFormula } from "../../markdown/math/is-formula.ts";
import { createMathSyntax } from "../../markdown/math/math-syntax.ts";
import { createParser } from "../../markdown/parse-markdown.ts";
import { fileNameFor, toMarkdown, toPlainText, transcriptEntries } from "./transcript.ts";

const words = {
  title: "Погода",
  visitor: "Вы",
  assistant: "Ассистент",
  system: "Система",
  attachments: "Вложения",
  sources: "Источники",
  time: (at: Date) => at.toISOString().slice(0, 16),
};

const messages: readonly Message[] = [
  {
    id: "q",
    role: "user",
    content: "Какая погода?",
    createdAt: "2026-03-01T10:00:00.000Z",
    attachments: [{ id: "f", type: "image", name: "окно.png", contentType: "image/png", size: 1, url: "x" }],
  },
  {
    id: "a",
    role: "assistant",
    content: [
      { type: "reasoning", text: "Думаю" },
      { type: "text", text: "**Ясно** [1]." },
      { type: "image", image: "data:image/png;base64,AA" },
      { type: "source", sourceType: "url", id: "s1", url: "https://a.example/1", title: "Прогноз", n: 1 },
      { type: "source", sourceType: "url", id: "s2", url: "https://a.example/2" },
      { type: "source", sourceType: "url", id: "s3", url: "", title: "Справочник" },
      { type: "source", sourceType: "url", id: "s4", url: "https://a.example/4", title: " " },
    ],
  },
];

const answer = `**Ясно** [1].

Вложения: image

Источники:
- [1] [Прогноз](https://a.example/1)
- https://a.example/2
- Справочник
- https://a.example/4`;

it("names speakers, times, attachments and sources, and leaves thoughts out", () => {
  const entries = transcriptEntries(messages, words);
  expect(toMarkdown(entries, words)).toBe(
    `# Погода\n\n## Вы · 2026-03-01T10:00\n\nКакая погода?\n\nВложения: окно.png\n\n## Ассистент\n\n${answer}\n`,
  );
  expect(toPlainText(entries, words)).toBe(
    `Погода\n\n\nВы · 2026-03-01T10:00\n\nКакая погода?\n\nВложения: окно.png\n\n\nАссистент\n\n${answer}`,
  );
});

const labels = { isLinkDefined: () => false, isFootnoteDefined: () => false };
const parse = createParser(labels, createMathSyntax(isFormula));

/** Titles and addresses of sources. */
const hostile: readonly (readonly [title: string | undefined, url: string])[] = [
  ["Цены [2026] (новые)", "https://a.example/x_(y)"],
  ["]( https://evil.example )", "https://a.example/a)b((c"],
  ["[вложенная](https://evil.example) ![снимок](x.png) [^1] [x]", "https://a.example/[a]?q=[1]&copy;=2&amp;b"],
  ["\\] обратная \\\\ черта\\", "https://a.example/\\]\\)"],
  [
    "*звезда* _черта_ `код` ~~нет~~ <b>тег</b> <https://evil.example> &copy; $x$ \\(y\\) a|b",
    "https://a.example/*a*_b_",
  ],
  ["https://evil.example www.evil.example me@evil.example", "https://a.example/?a=b&c=d#:~:text=e,-f"],
  ["две\n\nстроки\r\n# и решётка", "https://a.example/a b\n<c>\u0000"],
  ["- пункт", "mailto:a@b.example"],
  ["(в скобках)", "/help/(a)"],
  ["12. Глава", ""],
  ["# Глава", ""],
  ["- - -", ""],
  ["[один](два)", ""],
  [undefined, "https://a.example/_a_(b)*c*&copy;]"],
  [undefined, "/help/*a*"],
];

it.each(hostile)("a source's title, address and number are the same in markdown: %j, %j", (title, url) => {
  const source = { type: "source", sourceType: "url", id: "s", url, ...(title !== undefined && { title }) } as const;
  const address = url.replaceAll(/[ <>\n\0]/g, encodeURIComponent);
  const said = title?.replaceAll(/\s+/g, " ") ?? address;
  const linked = url.includes(":") || title ? address : "";
  for (const n of [undefined, 7]) {
    const content = [{ ...source, ...(n !== undefined && { n }) }];
    const text = toMarkdown(transcriptEntries([{ id: "a", role: "assistant", content }], words), words);
    const parsers = { ours: parse(text).map(({ node }) => node), commonMark: fromMarkdown(text).children };
    for (const [parser, blocks] of Object.entries(parsers)) {
      const expected = { parser, said: n === undefined ? said : `[7] ${said}`, linked };
      expect({ parser, ...contentOf(blocks.at(-1)) }).toEqual(expected);
    }
  }
});

interface Content {
  readonly said: string;
  readonly linked: string;
}

/**
 * The text of a block and the address of its link. Constructs other than lists, links and text are represented by their names.
 */
function contentOf(node: RootContent | undefined): Content {
  if (!node) return { said: "", linked: "" };
  const inside = "children" in node ? node.children.map(contentOf) : [];
  const named = ["list", "listItem", "paragraph", "link", "text"].includes(node.type) ? "" : `<${node.type}>`;
  const said = named + ("value" in node ? node.value : "") + inside.map((each) => each.said).join("");
  return { said, linked: (node.type === "link" ? node.url : "") + inside.map((each) => each.linked).join("") };
}

it.each([
  ["Счёт №5: «что/как»?", "Счёт №5 «что как».md"],
  ["  ..\u202E\n ", "chat.md"],
  ["../../etc/passwd", "etc passwd.md"],
  [`${"a".repeat(79)}😀`, `${"a".repeat(79)}.md`],
  ["a".repeat(200), `${"a".repeat(80)}.md`],
])("a file is named for its thread: %j", (title, name) => {
  expect(fileNameFor(title)).toBe(name);
});
