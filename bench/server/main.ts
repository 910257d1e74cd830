/** `npm run bench:server`: the server against a raw one that writes the same bytes, in one run, as ratios. */
import { availableParallelism, loadavg } from "node:os";
import { measureGrowth } from "./measure-growth.ts";
import { measureMessageList, measureThreadList } from "./measure-lists.ts";
import type { ListFigures } from "./measure-lists.ts";
import { measureStreams } from "./measure-streams.ts";
import type { ServerKind, StreamFigures } from "./measure-streams.ts";

interface Line {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly met: boolean;
}

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const busy = loadavg()[0] ?? 0;
console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${busy.toFixed(1)} before the start`);
if (busy > availableParallelism() / 2) console.log("Something else runs on this machine: latencies will be too high.");

const lines: Line[] = [];
await streams();
await growth();
await lists();
console.table(Object.fromEntries(lines.map(({ what, ...rest }) => [what, rest])));
process.exitCode = lines.every(({ met }) => met) ? 0 : 1;

async function streams(): Promise<void> {
  const raw = await rounds("raw", 500);
  const scripted = await rounds("scripted", 500);
  const rawFew = await rounds("raw", 100);
  const upstream = await rounds("upstream", 100);
  const rawMany = await rounds("raw", 1000);
  const many = await rounds("scripted", 1000);
  ratio("CPU an event, scripted model, 500 streams", scripted.cpuUs, raw.cpuUs, 1.6, "µs");
  ratio("CPU an event, AI SDK and HTTP upstream, 100 streams", upstream.cpuUs, rawFew.cpuUs, 6.5, "µs");
  below("1,000 streams at 20 events/s, p99", many.p99, 100, "ms", `raw ${rawMany.p99.toFixed(0)}`);
  below(
    "1,000 streams, share of events in time",
    1 - many.arrived,
    0.02,
    "missing",
    `raw ${(1 - rawMany.arrived).toFixed(2)}`,
  );
  below("Memory of an open stream", many.rssKb, 110, "KB", `raw ${rawMany.rssKb.toFixed(0)}`);
}

/** The quietest of several rounds: what else runs on a machine only ever adds. */
async function rounds(kind: ServerKind, count: number): Promise<StreamFigures> {
  const all: StreamFigures[] = [];
  for (let round = 0; round < ROUNDS; round += 1) all.push(await measureStreams(kind, count));
  console.log(
    `${kind}, ${count} streams:`,
    all.map(({ cpuUs, p99, rssKb }) => [cpuUs, p99, rssKb].map(Math.round)),
  );
  const least = (of: (figures: StreamFigures) => number) => Math.min(...all.map(of));
  return {
    cpuUs: least(({ cpuUs }) => cpuUs),
    p50: least(({ p50 }) => p50),
    p99: least(({ p99 }) => p99),
    rssKb: least(({ rssKb }) => rssKb),
    arrived: Math.max(...all.map(({ arrived }) => arrived)),
  };
}

async function growth(): Promise<void> {
  const { runs, heapKb, rssKb } = await measureGrowth();
  console.log("heap, MB:", heapKb.map(toMb), "resident, MB:", rssKb.map(toMb));
  // The first parts still warm caches up.
  const [first = 0, last = 0] = [heapKb.at(2), heapKb.at(-1)];
  below(`Heap growth over ${runs} runs`, (last / first - 1) * 100, 10, "%", `${toMb(first)} to ${toMb(last)} MB`);
}

async function lists(): Promise<void> {
  const { first, middle } = await measureThreadList(10_000);
  perRow("A thread's row, first page of 10,000", first);
  perRow("A thread's row, middle of 10,000", middle);
  perRow("A message's row, thread of 5,000", await measureMessageList(5000));
}

function perRow(what: string, { smallUs, largeUs }: ListFigures): void {
  ratio(`${what}, against 50`, largeUs, smallUs, 2, "µs");
}

function ratio(what: string, measured: number, against: number, goal: number, unit: string): void {
  const times = measured / against;
  const figures = `${times.toFixed(2)} × (${measured.toFixed(1)} / ${against.toFixed(1)} ${unit})`;
  lines.push({ what, measured: figures, goal: `≤ ${goal} ×`, met: times <= goal });
}

function below(what: string, measured: number, goal: number, unit: string, beside: string): void {
  lines.push({
    what,
    measured: `${measured.toFixed(2)} ${unit} (${beside})`,
    goal: `≤ ${goal} ${unit}`,
    met: measured <= goal,
  });
}

function toMb(kb: number): number {
  return Math.round(kb / 100) / 10;
}
