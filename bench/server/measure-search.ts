/** Measures the search of a visitor's threads, over HTTP. */
import { readdirSync, readFileSync } from "node:fs";
import { percentile } from "../report.ts";
import type { SeededVisitor } from "./conversations.ts";
import type { WaitFigures } from "./measure-lists.ts";
import { Place } from "./servers/place.ts";

export interface SearchFigures extends WaitFigures {
  /** The p99 of a search after an answer. */
  readonly changedMs: number;
  readonly firstMs: number;
  /** The number of found threads that belong to another visitor. */
  readonly foreign: number;
}

const SEARCHES = 500;
const WARM_UP = 50;
const AFTER_ANSWERS = 100;

const MARK = "Опоссум";
const FOREIGN_MARK = "Утконос";

export async function measureSearch(database: "SQLite" | "Postgres", threads: number): Promise<SearchFigures> {
  await using place = new Place();
  const url = database === "Postgres" ? await (await place.postgres()).createDatabase() : undefined;
  const { server, url: base } = await place.chatServer(url === undefined ? {} : { BENCH_DATABASE: url });
  const sentences = readSentences();
  const own = await server.call<SeededVisitor>("seedSaid", threads, sentences, MARK);
  const other = await server.call<SeededVisitor>("seedSaid", 1000, sentences, FOREIGN_MARK);

  const find = async (query: string, { cookie }: SeededVisitor = own) => {
    const start = performance.now();
    const response = await fetch(`${base}api/debug/threads?query=${encodeURIComponent(query)}`, {
      headers: { cookie },
    });
    const found = (await response.json()) as readonly unknown[];
    if (!response.ok) throw new Error(`${query}: ${response.status}`);
    return { ms: performance.now() - start, found: found.length };
  };

  const { ms: firstMs } = await find(MARK);
  if ((await find(FOREIGN_MARK, other)).found === 0) throw new Error("The other visitor's words are not found.");
  const queries = queriesOf(sentences);
  for (const query of queries.slice(0, WARM_UP)) await find(query);
  const all: number[] = [];
  let found = 0;
  for (let n = 0; n < SEARCHES; n += 1) {
    const one = await find(queries[n % queries.length] ?? "");
    all.push(one.ms);
    found += one.found;
  }
  if (found < SEARCHES) throw new Error(`${SEARCHES} searches have found only ${found} threads.`);
  const foreign = (await find(FOREIGN_MARK)).found + (await find(MARK, other)).found;

  const changed: number[] = [];
  for (let n = 0; n < AFTER_ANSWERS; n += 1) {
    await server.call("sayMore", own, n, { asked: "Где книга?", answered: sentences[n % sentences.length] });
    changed.push((await find(queries[n % queries.length] ?? "")).ms);
  }
  const [p50, p99, worst] = [percentile(all, 0.5), percentile(all, 0.99), percentile(all, 1)];
  return { p50, p99, worst, firstMs, changedMs: percentile(changed, 0.99), foreign };
}

/** The sentences of the Russian documents, whose word frequencies are natural. */
function readSentences(): readonly string[] {
  const folder = new URL("../../docs/ru/", import.meta.url);
  const text = readdirSync(folder)
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("\n");
  return text
    .replaceAll(/```.*?```/gs, "")
    .split(/(?<=[.!?:])\s+|\n+/)
    .filter((sentence) => sentence.length > 30);
}

/** One, two and three words of a sentence, frequent and rare ones, the last one whole or cut; and single first letters. */
function queriesOf(sentences: readonly string[]): readonly string[] {
  return sentences.flatMap((sentence, n) => {
    const words = sentence.match(/\p{L}+/gu) ?? [];
    const first = (n * 5) % Math.max(1, words.length - 3);
    const taken = words.slice(first, first + 1 + (n % 3));
    const last = taken.at(-1) ?? "";
    const cut = n % 2 === 0 ? last : last.slice(0, Math.max(1, Math.ceil(last.length / 2)));
    return taken.length === 0 ? [] : [[...taken.slice(0, -1), cut].join(" ")];
  });
}
