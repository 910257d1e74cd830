/**
 * Queries that people type into the site's search find their page among the first three results. The index is built like the
 * one of VitePress's local search: a document for each heading, with the headings above it, and MiniSearch with VitePress's
 * options.
 */
import MiniSearch from "minisearch";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const docs = join(import.meta.dirname, "../../docs");

interface Section {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

function sectionsOf(folder: string, page: string): readonly Section[] {
  const sections: { id: string; title: string; titles: string[]; text: string }[] = [];
  const above: string[] = [];
  let inCode = false;
  for (const line of readFileSync(join(folder, page), "utf8").split("\n")) {
    if (line.trimStart().startsWith("```")) inCode = !inCode;
    const [, signs, title = ""] = (!inCode && /^(#+) (.+)$/.exec(line)) || [];
    if (signs === undefined) {
      const last = sections.at(-1);
      if (last) last.text += `${line.replaceAll(/\]\([^)]*\)|[`*|[\]]/g, " ")}\n`;
      continue;
    }
    above.length = signs.length - 1;
    sections.push({ id: `${page}#${sections.length}`, title, titles: above.filter(Boolean), text: "" });
    above[signs.length - 1] = title;
  }
  return sections;
}

function indexOf(folder: string): (question: string) => readonly string[] {
  const index = new MiniSearch<Section>({
    fields: ["title", "titles", "text"],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  });
  index.addAll(
    readdirSync(folder)
      .filter((page) => page.endsWith(".md"))
      .flatMap((page) => sectionsOf(folder, page)),
  );
  return (question) => {
    const pages = index.search(question).map(({ id }) => String(id).replace(/\.md#\d+$/, ""));
    return [...new Set(pages)].slice(0, 3);
  };
}

const english = indexOf(docs);
const russian = indexOf(join(docs, "ru"));

it.each<[string, readonly string[]]>([
  ["install nginx", ["install"]],
  ["https certificate", ["install"]],
  ["docker compose", ["install"]],
  ["systemd unit", ["install"]],
  ["backup database", ["operating"]],
  ["upgrade to a new version", ["operating"]],
  ["prometheus metrics", ["operating"]],
  ["GDPR delete user data", ["operating", "privacy"]],
  ["privacy policy text", ["privacy"]],
  ["data processor model provider", ["privacy"]],
  ["CORS blocked", ["troubleshooting"]],
  ["429 too many requests", ["troubleshooting"]],
  ["button does not appear", ["troubleshooting"]],
  ["stream buffered answer at once", ["troubleshooting", "install"]],
  ["wordpress", ["embedding"]],
  ["react component", ["embedding", "signed-in-users"]],
  ["content security policy", ["embedding"]],
  ["signed in user JWT token", ["signed-in-users", "security"]],
  ["ollama local model", ["models"]],
  ["azure openai", ["models"]],
  ["function calling tools of the page", ["extending", "embedding"]],
  ["RAG answer from my website", ["knowledge"]],
  ["sitemap", ["knowledge"]],
  ["webhooks", ["configuration", "operating"]],
  ["fastapi python backend", ["own-backend"]],
  ["next.js", ["embedding", "library"]],
  ["express middleware", ["library"]],
  ["rate limit per user", ["configuration"]],
  ["token budget cost", ["configuration", "operating"]],
  ["dark mode colors", ["theming"]],
  ["compare chatwoot", ["comparison"]],
])("%s", (question, pages) => {
  const found = english(question);
  expect({ found, hit: found.some((page) => pages.includes(page)) }).toMatchObject({ hit: true });
});

it.each<[string, readonly string[]]>([
  ["установка на сервер", ["install"]],
  ["сертификат https", ["install"]],
  ["резервная копия", ["operating"]],
  ["обновление версии", ["operating"]],
  ["152-ФЗ персональные данные", ["privacy"]],
  ["согласие на обработку", ["privacy"]],
  ["ошибка CORS", ["troubleshooting"]],
  ["кнопка чата не появляется", ["troubleshooting"]],
  ["yandexgpt", ["models"]],
  ["gigachat", ["models"]],
  ["ответы по страницам сайта", ["knowledge"]],
  ["тильда", ["embedding"]],
  ["битрикс", ["embedding"]],
  ["цвета и шрифты", ["theming"]],
])("%s", (question, pages) => {
  const found = russian(question);
  expect({ found, hit: found.some((page) => pages.includes(page)) }).toMatchObject({ hit: true });
});
