/**
 * The speed of our search with 50,000 passages, with and without concurrent answers, and whether both databases find the same.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresKnowledge, openSqliteKnowledge } from "@nitka/knowledge";
import type { KnowledgeStore } from "@nitka/knowledge";
import type { Seen } from "../server/load.ts";
import { Place } from "../server/servers/place.ts";
import type { Memory, Process } from "../server/servers/start-process.ts";
import type { Corpus } from "./corpora.ts";
import { fill } from "./ours.ts";
import type { Asked } from "../server/servers/search-questions.ts";

const PASSAGES = 50_000;
const STREAMS = 100;

/** Twenty events a second. */
const EVERY_MS = 50;

export interface DatabaseFigures {
  readonly alone: Asked;
  readonly beside: Asked;
  /** The megabytes that the first searches add to the process. */
  readonly memoryMb: number;
}

export interface Databases {
  readonly SQLite: DatabaseFigures;
  readonly Postgres: DatabaseFigures;
  /** The share of the questions for which both databases put the same page first. */
  readonly sameFirst: number;
}

/** Fills each database with copies of all pages under other addresses, and asks every question. */
export async function compareDatabases(corpora: readonly Corpus[]): Promise<Databases> {
  await using place = new Place();
  const path = join(place.folder(), "k.db");
  const url = await (await place.postgres()).createDatabase();
  // The databases are filled one after the other, because filling SQLite blocks the process.
  await fillWhole(await openSqliteKnowledge({ path }), corpora);
  await fillWhole(await openPostgresKnowledge({ url }), corpora);
  const questions = corpora.flatMap((corpus) => corpus.questions.map(({ text }) => text));
  const [SQLite, Postgres] = [await measure(path, questions), await measure(url, questions)];
  const same = SQLite.alone.firsts.filter((first, at) => first === Postgres.alone.firsts[at]).length;
  return { SQLite, Postgres, sameFirst: same / questions.length };
}

async function fillWhole(store: KnowledgeStore, corpora: readonly Corpus[]): Promise<void> {
  const passages = corpora.reduce((sum, { pages }) => sum + pages.reduce((all, page) => all + page.passages, 0), 0);
  const empty = { failed: [], skipped: [], unread: [], heldBack: [], changed: 0, unchanged: 0, gone: 0 };
  await store.leaseReading("p", "bench", 3_600_000);
  for (let copy = 0; copy * passages < PASSAGES; copy += 1) {
    for (const corpus of corpora) {
      const pages = corpus.pages.map((page) => ({ ...page, url: page.url.replace(".html", `.${copy}.html`) }));
      await fill(store, { ...corpus, pages });
    }
  }
  await store.endReading("p", "bench", { startedAt: 0, endedAt: 0, new: 1, ...empty });
  await store.close();
}

/** The search in a process that also writes the answers. */
async function measure(database: string, questions: readonly string[]): Promise<DatabaseFigures> {
  await using place = new Place();
  const { server } = await place.chatServer();
  const search = async () => server.call<Asked>("search", database, questions);
  const before = await server.call<Memory>("memory");
  await search();
  const after = await server.call<Memory>("memory");
  const alone = await search();
  await openStreams(place, server, 60_000);
  const beside = await search();
  return { alone, beside, memoryMb: (after.rssKb - before.rssKb) / 1000 };
}

/** Opens the streams of a hundred answers, and resolves with the process that reads them. */
export async function openStreams(place: Place, server: Process, ms: number): Promise<Process> {
  const load = place.process("load.ts");
  const url = await server.call<string>("listen");
  await load.call("openChat", url, STREAMS, { deltas: ms / EVERY_MS, everyMs: EVERY_MS }, 3000);
  await sleep(1500);
  await load.call<Seen>("seen");
  return load;
}
