/**
 * `npm run bench:server`: compares the server with a raw one that writes the same bytes, as ratios.
 * `npm run bench:server -- answers files` runs only the named parts.
 */
import { leastOf, namedParts, Report } from "../report.ts";
import { DELAY_MS, measureAnswers, measureRawAnswers } from "./measure-answers.ts";
import type { AnswerSetting } from "./measure-answers.ts";
import type { Percentiles } from "./answer-load.ts";
import { measureFiles } from "./measure-files.ts";
import { measureGrowth } from "./measure-growth.ts";
import { measureListBesideStreams, measureMessageList, measureThreadList } from "./measure-lists.ts";
import type { ListFigures } from "./measure-lists.ts";
import { measureSearch } from "./measure-search.ts";
import { measureStreams } from "./measure-streams.ts";
import type { ServerKind } from "./measure-streams.ts";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);

const parts: Readonly<Record<string, () => Promise<void>>> = {
  streams,
  answers,
  pooler,
  fanOut,
  files,
  growth,
  lists,
  search,
};

const chosen = namedParts(Object.keys(parts));
const report = new Report();
for (const name of chosen) await parts[name]?.();
report.end();

async function streams(): Promise<void> {
  const beside = (kind: ServerKind, count: number) =>
    leastOf(ROUNDS, { raw: () => measureStreams("raw", count), ours: () => measureStreams(kind, count) });
  const scripted = await beside("scripted", 500);
  report.ratio("CPU an event, scripted model, 500 streams", scripted.ours.cpuUs, scripted.raw.cpuUs, 1.5, "µs");

  const upstream = await beside("upstream", 100);
  report.ratio(
    "CPU an event, AI SDK and HTTP upstream, 100 streams",
    upstream.ours.cpuUs,
    upstream.raw.cpuUs,
    3.5,
    "µs",
  );

  const { raw, ours } = await beside("scripted", 1000);
  const ofRaw = (value: number, digits: number) => `raw ${value.toFixed(digits)}`;
  report.below("1,000 streams at 20 events/s, p99", ours.p99, 100, "ms", ofRaw(raw.p99, 0));
  report.below("1,000 streams, late events", ours.missing, 2, "%", ofRaw(raw.missing, 1));
  report.below("Memory of an open stream", ours.rssKb, 110, "KB", ofRaw(raw.rssKb, 0));
}

/** The settings run one after the other, because two servers at the same time would compete for the processor. */
async function answers(): Promise<void> {
  await wholeAnswers("250 answers, one instance", { instances: 1, answers: 250, followEvery: 0 });
  await wholeAnswers("800 answers, four instances, a third read on another", {
    instances: 4,
    answers: 800,
    followEvery: 3,
  });
}

/** A pooler in transaction mode, with five connections to the database for all. */
async function pooler(): Promise<void> {
  await wholeAnswers("100 answers by way of pgbouncer, two instances, a third read on the other", {
    instances: 2,
    answers: 100,
    followEvery: 3,
    pooled: true,
  });
}

async function wholeAnswers(name: string, setting: AnswerSetting): Promise<void> {
  const rawUs = await measureRawAnswers(setting.answers);
  const { failed, firstByte, finish, cpuUs } = await measureAnswers(setting);
  // The floor's prepared statements and its LISTEN need separate connections.
  const floor = setting.pooled ? undefined : await measureAnswers({ ...setting, server: "floor-server" });
  const what = `Postgres ${DELAY_MS} ms away, ${name}`;
  const beside = ({ p50 }: Percentiles, least: Percentiles | undefined) =>
    `p50 ${p50.toFixed(0)}${least ? `; floor p99 ${least.p99.toFixed(0)}, p50 ${least.p50.toFixed(0)}` : ""}`;
  report.below(`${what}: failed`, failed, 0, "", floor && `floor ${floor.failed}`);
  report.below(`${what}: first byte, p99`, firstByte.p99, 300, "ms", beside(firstByte, floor?.firstByte));
  report.below(`${what}: finish after the last delta, p99`, finish.p99, 250, "ms", beside(finish, floor?.finish));
  // Four processes and a database on two cores mostly alternate. There the floor alone costs twice the raw server.
  const goal = setting.instances > 2 ? null : 2;
  const ofFloor = floor && `floor ${(floor.cpuUs / rawUs).toFixed(2)} ×`;
  report.ratio(`${what}: CPU an event`, cpuUs, rawUs, goal, "µs", ofFloor);
}

/** The bytes of Postgres' notifications. They grow with the readers on other instances, not with the instances. */
async function fanOut(): Promise<void> {
  const notified = async (instances: number, followEvery: number) =>
    (await measureAnswers({ instances, answers: 200, followEvery })).notifiedBytes / 1000;
  const [none, two, four] = [await notified(4, 0), await notified(2, 4), await notified(4, 4)];
  report.below("NOTIFY, 200 answers on four instances, none read on another", none, 1, "KB/s");
  report.ratio("NOTIFY, 50 of 200 answers read on another, four instances against two", four, two, 1.5, "KB/s");
}

async function files(): Promise<void> {
  const { pauseMs, memoryMb, threadMb } = await measureFiles();
  const what = `Ten visitors open a thread with ${threadMb.toFixed(0)} MB of files`;
  report.below(`${what}: longest pause of the event loop`, pauseMs, 50, "ms");
  report.below(`${what}: memory above idle`, memoryMb, 100, "MB");
}

async function growth(): Promise<void> {
  const { runs, heapKb, rssKb } = await measureGrowth();
  // The first two parts warm up caches.
  const [first = 0, last = 0] = [heapKb.at(2), heapKb.at(-1)];
  report.below(
    `Heap growth over ${runs} runs`,
    (last / first - 1) * 100,
    10,
    "%",
    `MB: ${heapKb.map(toMb).join(", ")}; resident: ${rssKb.map(toMb).join(", ")}`,
  );
}

async function lists(): Promise<void> {
  const { first, middle } = await measureThreadList(10_000);
  perRow("A thread's row, first page of 10,000, against 50", first);
  perRow("A thread's row, middle of 10,000, against 50", middle);
  perRow("A message's row, thread of 5,000, against 50", await measureMessageList(5000));
  const { p50, p99, worst } = await measureListBesideStreams(500);
  report.below(
    "A list of 50 beside 500 streams, p99",
    p99,
    250,
    "ms",
    `p50 ${p50.toFixed(0)}, worst ${worst.toFixed(0)}`,
  );
}

/** A visitor with 10,000 threads, beside another whose words must not be found. */
async function search(): Promise<void> {
  for (const database of ["SQLite", "Postgres"] as const) {
    const { p50, p99, worst, firstMs, changedMs, foreign } = await measureSearch(database, 10_000);
    const what = `Search of 10,000 threads, ${database}`;
    report.below(`${what}: p99`, p99, 30, "ms", `p50 ${p50.toFixed(1)}, worst ${worst.toFixed(1)}`);
    report.below(`${what}, after each answer: p99`, changedMs, 60, "ms");
    report.below(`${what}: threads of another visitor`, foreign, 0, "");
    report.below(`${what}: the first one, which reads them all`, firstMs / 1000, 60, "s");
  }
}

function perRow(what: string, { smallUs, largeUs }: ListFigures): void {
  report.ratio(what, largeUs, smallUs, 2, "µs");
}

function toMb(kb: number): number {
  return Math.round(kb / 100) / 10;
}
