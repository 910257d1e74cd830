/**
 * `npm run bench:retention`: retention that is switched on a year late, on a database with years of conversations. Measures
 * how soon answers begin without it and meanwhile, until all that has expired is gone. `npm run bench:retention -- SQLite`
 * takes one database alone; `BENCH_STORED` is the number of stored messages and events.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migratePostgres } from "@nitka/server/postgres";
import { migrateSqlite } from "@nitka/server/sqlite";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { Report } from "../../report.ts";
import { createLoadClient } from "../load-client.ts";
import type { LoadClient } from "../load-client.ts";
import { EVENTS, fillWithOldConversations, MESSAGES } from "./old-conversations.ts";
import { startProcess } from "../servers/start-process.ts";
import type { Process } from "../servers/start-process.ts";
import { temporaryFolder } from "../servers/temporary-folder.ts";

const STORED = Number(process.env["BENCH_STORED"] ?? 5_000_000);
const THREADS = Math.ceil(STORED / (MESSAGES + EVENTS));
const RETENTION_DAYS = "30";

/** Answers begin this often, whether the ones before have begun or not. */
const PER_SECOND = 20;
const WARM_UP = 200;
const BESIDE = 1500;

/** It is given up after this time. */
const LONGEST_MS = 3_600_000;

const PACE = { deltas: 5, everyMs: 50 };

const databases: Readonly<Record<string, (measure: (database: string) => Promise<void>) => Promise<void>>> = {
  async SQLite(measure) {
    const folder = temporaryFolder();
    const path = join(folder, "nitka.db");
    await migrateSqlite({ path });
    try {
      await measure(path);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  async Postgres(measure) {
    const postgres = await startTemporaryPostgres();
    const url = await postgres.createDatabase();
    await migratePostgres({ url });
    try {
      await measure(url);
    } finally {
      await postgres.stop();
    }
  },
};

const asked = process.argv.slice(2);
const report = new Report();
for (const [name, open] of Object.entries(databases)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  report.section(name);
  await open(measureRetention);
}
report.end();

async function measureRetention(database: string): Promise<void> {
  let start = performance.now();
  await fillWithOldConversations(database, THREADS);
  const seconds = () => Math.round((performance.now() - start) / 1000);
  console.log(`${STORED} messages and events in ${THREADS} threads stored in ${seconds()} s`);

  const before = await withServer(database, {}, async (url) => {
    await begin(url, WARM_UP);
    return await begin(url, BESIDE);
  });

  await withServer(database, { BENCH_RETENTION_DAYS: RETENTION_DAYS }, async (url, server) => {
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
    // The dropping begins with the process, whose first answers are slower.
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
  database: string,
  settings: Readonly<Record<string, string>>,
  work: (url: string, server: Process) => Promise<T>,
): Promise<T> {
  const script = new URL("../servers/chat-server.ts", import.meta.url);
  const server = startProcess(script, { BENCH_DATABASE: database, ...settings });
  try {
    return await work(await server.call<string>("listen"), server);
  } finally {
    await server.stop();
  }
}

/** Asks `count` questions, each in a new thread. Returns the milliseconds until each answer began, endless for one that was refused. */
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
  const question = { id: "q", role: "user", content: JSON.stringify(PACE) };
  const start = performance.now();
  const path = new URL(`api/debug/threads/${threadId}/run/stream`, url).href;
  const response = await client.send(path, JSON.stringify({ messages: [question] }));
  let began = 0;
  for await (const _ of response) began ||= performance.now() - start;
  return response.statusCode === 200 ? began : Number.POSITIVE_INFINITY;
}

function refusedOf(values: readonly number[]): number {
  return values.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
}

function percentiles(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
