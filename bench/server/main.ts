/** `npm run bench:server`: the server against a raw one that writes the same bytes, in one run, as ratios. */
import { leastOf, Report } from "../report.ts";
import { measureGrowth } from "./measure-growth.ts";
import { measureMessageList, measureThreadList } from "./measure-lists.ts";
import type { ListFigures } from "./measure-lists.ts";
import { measureStreams } from "./measure-streams.ts";
import type { ServerKind } from "./measure-streams.ts";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);

const report = new Report();
await streams();
await growth();
await lists();
report.end();

async function streams(): Promise<void> {
  const beside = (kind: ServerKind, count: number) =>
    leastOf(ROUNDS, { raw: () => measureStreams("raw", count), ours: () => measureStreams(kind, count) });
  const scripted = await beside("scripted", 500);
  report.ratio("CPU an event, scripted model, 500 streams", scripted.ours.cpuUs, scripted.raw.cpuUs, 1.6, "µs");

  const upstream = await beside("upstream", 100);
  report.ratio(
    "CPU an event, AI SDK and HTTP upstream, 100 streams",
    upstream.ours.cpuUs,
    upstream.raw.cpuUs,
    6.5,
    "µs",
  );

  const { raw, ours } = await beside("scripted", 1000);
  const ofRaw = (value: number, digits: number) => `raw ${value.toFixed(digits)}`;
  report.below("1,000 streams at 20 events/s, p99", ours.p99, 100, "ms", ofRaw(raw.p99, 0));
  report.below("1,000 streams, events that did not come in time", ours.missing, 2, "%", ofRaw(raw.missing, 1));
  report.below("Memory of an open stream", ours.rssKb, 110, "KB", ofRaw(raw.rssKb, 0));
}

async function growth(): Promise<void> {
  const { runs, heapKb, rssKb } = await measureGrowth();
  // The first parts still warm caches up.
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
}

function perRow(what: string, { smallUs, largeUs }: ListFigures): void {
  report.ratio(what, largeUs, smallUs, 2, "µs");
}

function toMb(kb: number): number {
  return Math.round(kb / 100) / 10;
}
