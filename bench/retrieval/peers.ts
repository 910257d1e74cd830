/** Other searches over the same passages. Each returns the passages that contain any word of the question. */
import { DatabaseSync } from "node:sqlite";
import { create, insertMultiple, search as searchOrama } from "@orama/orama";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as russian } from "@orama/stemmers/russian";
import MiniSearch from "minisearch";
import type { Client } from "pg";
import type { Corpus } from "./corpora.ts";
import type { Search } from "./judge.ts";

interface Entry {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

/** The number of passages, which is enough for five pages, because passages of one page repeat. */
const LIMIT = 100;

function entriesOf({ pages }: Corpus): readonly Entry[] {
  const entries: Entry[] = [];
  for (const { url, title, content } of pages) {
    for (const { headings, text } of content.passages)
      entries.push({ id: entries.length, url, title, headings: headings.join(" "), text });
  }
  return entries;
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

function stem(word: string): string {
  if (word.length < 3) return word;
  return /^[а-я]+$/.test(word) ? russian(word) : /^[a-z]+$/.test(word) ? english(word) : word;
}

export async function createFts5(corpus: Corpus): Promise<Search> {
  const database = new DatabaseSync(":memory:");
  database.exec("create virtual table entry using fts5(url unindexed, title, headings, text, tokenize = 'unicode61')");
  const insert = database.prepare("insert into entry values (?, ?, ?, ?)");
  for (const { url, title, headings, text } of entriesOf(corpus)) insert.run(url, title, headings, text);
  const select = database.prepare("select url from entry where entry match ? order by bm25(entry, 0, 4, 2, 1) limit ?");
  return async (question) => {
    const words = wordsOf(question).map((word) => `"${word}"`);
    return words.length === 0 ? [] : select.all(words.join(" OR "), LIMIT).map(({ url }) => String(url));
  };
}

export async function createPostgres(corpus: Corpus, client: Client): Promise<Search> {
  await client.query("drop table if exists entry");
  await client.query("create table entry (url text, words tsvector)");
  await client.query(
    `insert into entry select e ->> 'url', setweight(to_tsvector('russian', e ->> 'title'), 'A')
       || setweight(to_tsvector('russian', e ->> 'headings'), 'B') || setweight(to_tsvector('russian', e ->> 'text'), 'D')
     from json_array_elements($1::json) as e`,
    [JSON.stringify(entriesOf(corpus))],
  );
  return async (question) => {
    const { rows } = await client.query<{ readonly url: string }>(
      `select url from entry, (select to_tsquery('russian', $1) as query) as asked
       where words @@ query order by ts_rank(words, query) desc limit $2`,
      [wordsOf(question).join(" | "), LIMIT],
    );
    return rows.map(({ url }) => url);
  };
}

export async function createOrama(corpus: Corpus): Promise<Search> {
  const database = create({
    schema: { url: "string", title: "string", headings: "string", text: "string" },
    components: {
      tokenizer: {
        language: "russian",
        normalizationCache: new Map(),
        tokenize: (text: string) => wordsOf(text).map(stem),
      },
    },
  });
  await insertMultiple(
    database,
    entriesOf(corpus).map(({ url, title, headings, text }) => ({ url, title, headings, text })),
  );
  return async (term) => {
    const properties = ["title", "headings", "text"] as const;
    const options = { boost: { title: 4, headings: 2 }, tolerance: 1, threshold: 1, limit: LIMIT };
    const { hits } = await searchOrama(database, { term, properties: [...properties], ...options });
    return hits.map(({ document }) => document.url);
  };
}

export async function createMiniSearch(corpus: Corpus): Promise<Search> {
  const index = new MiniSearch<Entry>({
    fields: ["title", "headings", "text"],
    storeFields: ["url"],
    tokenize: wordsOf,
    processTerm: stem,
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, headings: 2 } },
  });
  index.addAll(entriesOf(corpus));
  return async (question) =>
    index
      .search(question)
      .slice(0, LIMIT)
      .map(({ url }) => String(url));
}
