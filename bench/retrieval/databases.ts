/** How fast our search is at 50,000 passages, and whether both databases find the same. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresKnowledge, openSqliteKnowledge } from "@nitka/knowledge";
import type { KnowledgeStore } from "@nitka/knowledge";
import type { TemporaryPostgres } from "@nitka/server/temporary-postgres";
import { percentile } from "../report.ts";
import type { Corpus } from "./corpora.ts";
import { fill, searchIn } from "./ours.ts";

const PASSAGES = 50_000;

export interface Speed {
  readonly p50: number;
  readonly p99: number;
}

export interface Databases {
  readonly sqlite: Speed;
  readonly postgres: Speed;
  /** The share of the questions for which both databases put the same page first. */
  readonly sameFirst: number;
}

/** Fills each database with copies of all pages under other addresses, and asks every question. */
export async function compareDatabases(corpora: readonly Corpus[], postgres: TemporaryPostgres): Promise<Databases> {
  const place = await mkdtemp(join(tmpdir(), "nitka-retrieval-"));
  const stores = [
    await openSqliteKnowledge({ path: join(place, "k.db") }),
    await openPostgresKnowledge({ url: await postgres.createDatabase() }),
  ] as const;
  try {
    const [sqlite, inPostgres] = [await ask(stores[0], corpora), await ask(stores[1], corpora)];
    const same = sqlite.firsts.filter((first, at) => first === inPostgres.firsts[at]).length;
    return { sqlite: sqlite.speed, postgres: inPostgres.speed, sameFirst: same / sqlite.firsts.length };
  } finally {
    for (const store of stores) await store.close();
    await rm(place, { recursive: true });
  }
}

async function ask(store: KnowledgeStore, corpora: readonly Corpus[]) {
  const passages = corpora.reduce((sum, { pages }) => sum + pages.reduce((all, page) => all + page.passages, 0), 0);
  for (let copy = 0; copy * passages < PASSAGES; copy += 1) {
    for (const corpus of corpora) {
      const pages = corpus.pages.map((page) => ({ ...page, url: page.url.replace(".html", `.${copy}.html`) }));
      await fill(store, { ...corpus, pages });
    }
  }
  const search = searchIn(store);
  const questions = corpora.flatMap((corpus) => corpus.questions);
  const firsts: (string | undefined)[] = [];
  for (const { text } of questions) firsts.push((await search(text))[0]);
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (const { text } of questions) {
      const start = performance.now();
      await search(text);
      times.push(performance.now() - start);
    }
  }
  return { firsts, speed: { p50: percentile(times, 0.5), p99: percentile(times, 0.99) } };
}
