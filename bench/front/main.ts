/** `npm run bench:front`: the built widget in Chromium, its answers over HTTP, with react-markdown in the same run. */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { buildReactMarkdown, buildWidget } from "./build.ts";
import { measureReactMarkdown, measureWidget } from "./measure-streaming.ts";
import type { StreamFigures } from "./measure-streaming.ts";
import { measureThread } from "./measure-threads.ts";
import { startSite } from "./site.ts";
import type { Order } from "./site.ts";

interface Line {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly met: boolean;
}

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 1);
const busy = loadavg()[0] ?? 0;
console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${busy.toFixed(1)} before the start`);
if (busy > availableParallelism() / 2) console.log("Something else runs on this machine: frames will come late.");

const folder = await mkdtemp(join(tmpdir(), "nitka-bench-"));
const site = await startSite({ widget: buildWidget(), reactMarkdown: await buildReactMarkdown(folder) });
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"],
});
const lines: Line[] = [];
try {
  await streams();
  await threads();
} finally {
  await browser.close();
  await site.close();
  await rm(folder, { recursive: true });
}
console.table(Object.fromEntries(lines.map(({ what, ...rest }) => [what, rest])));
process.exitCode = lines.every(({ met }) => met) ? 0 : 1;

async function streams(): Promise<void> {
  const answer: Order = { chars: 66_000, pace: "paced" };
  const widget = await best(() => measureWidget(browser, site, answer));
  const reactMarkdown = await best(() => measureReactMarkdown(browser, site, answer));
  const short = await best(() => measureWidget(browser, site, { chars: 10_000, pace: "paced" }));
  const long = await best(() => measureWidget(browser, site, { chars: 200_000, pace: "paced" }));
  const burst = await best(() => measureWidget(browser, site, { chars: 66_000, pace: "burst" }));
  const share = widget.taskMs / reactMarkdown.taskMs;
  line(
    "66,000 characters, main thread",
    `${widget.taskMs.toFixed(0)} ms; react-markdown ${reactMarkdown.taskMs.toFixed(0)} ms: ${share.toFixed(2)} ×`,
    "≤ 0.4 ×",
    share <= 0.4,
  );
  below(
    "66,000 characters, frame gap p95",
    widget.gapP95,
    20,
    "ms",
    `; react-markdown ${reactMarkdown.gapP95.toFixed(1)}`,
  );
  const perChar = [short.taskMs / 10_000, long.taskMs / 200_000].map((ms) => ms * 1000);
  const growth = (perChar[1] ?? 0) / (perChar[0] ?? 1);
  line(
    "main thread for 1,000 characters, 10,000 → 200,000",
    `${perChar.map((us) => us.toFixed(0)).join(" → ")} ms: ${growth.toFixed(2)} ×`,
    "≤ 1.3 ×",
    growth <= 1.3,
  );
  below("200,000 characters, memory above the empty page", long.heapMb, 12, "MB");
  below("66,000 characters at once, longest task", burst.longestTask, 100, "ms");
}

async function threads(): Promise<void> {
  const few = await measureThread(browser, site, "Короткая");
  const many = await measureThread(browser, site, "Длинная");
  const ratio = many.openMs / few.openMs;
  line(
    "5,000 messages, opening",
    `${many.openMs.toFixed(0)} ms; 50 messages ${few.openMs.toFixed(0)} ms: ${ratio.toFixed(2)} ×`,
    "≤ 2 ×",
    ratio <= 2,
  );
  below(
    "5,000 messages, frames until one more is shown",
    many.appendFrames,
    1,
    "",
    `; 50 messages ${few.appendFrames}`,
  );
  below(
    "5,000 messages, main thread for a streamed frame",
    many.streamMsPerFrame,
    6,
    "ms",
    `; 50 messages ${few.streamMsPerFrame.toFixed(1)}`,
  );
  below("5,000 messages, blank frames while scrolling up", many.scroll.blank, 0, "");
  below(
    "5,000 messages, jumps while scrolling up",
    many.scroll.jumps,
    0,
    "",
    `; gap p95 ${many.scroll.gapP95.toFixed(1)} ms`,
  );
}

/** The quietest of several rounds: what else runs on a machine only ever adds. */
async function best(measure: () => Promise<StreamFigures>): Promise<StreamFigures> {
  const all: StreamFigures[] = [];
  for (let round = 0; round < ROUNDS; round += 1) all.push(await measure());
  const least = (of: (figures: StreamFigures) => number) => Math.min(...all.map(of));
  return {
    taskMs: least(({ taskMs }) => taskMs),
    gapP95: least(({ gapP95 }) => gapP95),
    longestTask: least(({ longestTask }) => longestTask),
    heapMb: least(({ heapMb }) => heapMb),
  };
}

function below(what: string, value: number, limit: number, unit: string, beside = ""): void {
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(1);
  line(what, `${shown} ${unit}${beside}`.trim(), `≤ ${limit} ${unit}`.trim(), value <= limit);
}

function line(what: string, measured: string, goal: string, met: boolean): void {
  console.log(`${met ? "✓" : "✗"} ${what}: ${measured} (goal ${goal})`);
  lines.push({ what, measured, goal, met });
}
