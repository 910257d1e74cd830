/**
 * `npm run bench:retention`: switches retention on a year late, on a database with years of conversations. Measures how soon
 * answers begin without it and while it runs, until everything that has expired is deleted. `npm run bench:retention -- SQLite`
 * uses only one database; `BENCH_STORED` is the number of stored messages and events.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migratePostgres } from "@nitka/server/postgres";
import { migrateSqlite } from "@nitka/server/sqlite";
import { namedParts, percentile, Report } from "../../report.ts";
import { createLoadClient } from "../load-client.ts";
import type { LoadClient } from "../load-client.ts";
import { EVENTS, fillWithOldConversations, MESSAGES } from "./old-conversations.ts";
import { Place } from "../servers/place.ts";
import type { Process } from "../servers/start-process.ts";

const STORED = Number(process.env["BENCH_STORED"] ?? 5_000_000);
const THREADS = Math.ceil(STORED / (MESSAGES + EVENTS));
const RETENTION_DAYS = "30";

/** Answers start at this rate, whether the earlier ones have begun or not. */
const PER_SECOND = 20;
const WARM_UP = 200;
const BESIDE = 1500;

/** The measurement is given up after this time. */
const LONGEST_MS = 3_600_000;

const PACE = { deltas: 5, everyMs: 50 };

const databases: Readonly<Record<string, (place: Place) => Promise<string>>> = {
  async SQLite(place) {
    const path = join(place.folder(), "nitka.db");
    await migrateSqlite({ path });
    return path;
  },
  async Postgres(place) {
    const url = await (await place.postgres()).createDatabase();
    await migratePostgres({ url });
    return url;
  },
};

const report = new Report();
for (const name of namedParts(Object.keys(databases))) {
  report.section(name);
  await using place = new Place();
  await measureRetention((await databases[name]?.(place)) ?? "");
}
report.end();

async function measureRetention(database: string): Promise<void> {
  let start = performance.now();
  await fillWithOldConversations(database, THREADS);
  const seconds = () => Math.round((performance.now() - start) / 1000);
  console.log(`${STORED} messages and events in ${THREADS} threads stored in ${seconds()} s`);

  const before = await withServer({ BENCH_DATABASE: database }, async (url) => {
    await begin(url, WARM_UP);
    return await begin(url, BESIDE);
  });

  await withServer({ BENCH_DATABASE: database, BENCH_RETENTION_DAYS: RETENTION_DAYS }, async (url, server) => {
    start = performance.now();
    let smallMs = 0;
    let largeMs = 0;
    let isOver = false;
    const meanwhile = begin(url, Number.POSITIVE_INFINITY, () => isOver);
    while (largeMs === 0 && performance.now() - start < LONGEST_MS) {
      await sleep(200);
      const left = await server.call<readonly string[]>("projects");
      if (smallMs === 0 && !left.includes("small")) smallMs = performance.now() - start;
      if (!left.includes("large")) largeMs = performance.now() - start;
    }
    isOver = true;
    // Deleting starts with the process, whose first answers are slower.
    const during = (await meanwhile).slice(WARM_UP);
    const after = await begin(url, BESIDE);
    const without = percentiles([...before, ...after]);
    const measured = percentiles(during);
    const beside = `p50 ${measured.p50.toFixed(1)} / ${without.p50.toFixed(1)} ms, ${during.length} answers`;
    report.below("questions refused while expired threads are dropped", refusedOf(during), refusedOf(before), "");
    report.ratio("an answer begins while expired threads are dropped, p99", measured.p99, without.p99, 2, "ms", beside);
    report.below("everything that has expired is gone", largeMs === 0 ? 1 : 0, 0, "projects left");
    report.ratio("the small project's, beside the large one's", smallMs, largeMs, 0.5, "ms");
    console.log(
      `All is gone after ${Math.round(largeMs / 1000)} s: ${Math.round((STORED / largeMs) * 1000)} rows a second`,
    );
  });
}

async function withServer<T>(
  settings: Readonly<Record<string, string>>,
  work: (url: string, server: Process) => Promise<T>,
): Promise<T> {
  await using place = new Place();
  const { server, url } = await place.chatServer(settings);
  return await work(url, server);
}

/**
 * Asks `count` questions, each in a new thread. Returns the milliseconds until each answer began; infinite for one that was
 * refused.
 */
async function begin(url: string, count: number, isOver = () => false): Promise<readonly number[]> {
  const client = createLoadClient();
  await client.visit(url);
  const first = performance.now();
  const all: Promise<number>[] = [];
  for (let n = 0; n < count && !isOver(); n += 1) {
    await sleep(Math.max(0, first + (n * 1000) / PER_SECOND - performance.now()));
    all.push(ask(client, url));
  }
  return await Promise.all(all);
}

async function ask(client: LoadClient, url: string): Promise<number> {
  try {
    return await askInNewThread(client, url);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

async function askInNewThread(client: LoadClient, url: string): Promise<number> {
  const threadId = await client.createThread(url);
  const start = performance.now();
  const response = await client.ask(url, threadId, PACE);
  let began = 0;
  for await (const _ of response) began ||= performance.now() - start;
  return response.statusCode === 200 ? began : Number.POSITIVE_INFINITY;
}

function refusedOf(values: readonly number[]): number {
  return values.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
}

function percentiles(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99) };
}
