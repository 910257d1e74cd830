/**
 * `npm run bench:front`: measures the built widget in a full Chromium and in the headless shell, which draws less in a frame.
 * Answers arrive over HTTP. react-markdown renders the same answers in the same run. `npm run bench:front -- parsing` measures
 * only the parser, with texts that are made to be slow, `-- citations` the cost of citations, and `-- fuzz` searches for more
 * slow texts.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { chromium } from "@playwright/test";
import type { Browser } from "@playwright/test";
import { findBrowser } from "../../scripts/find-browser.mjs";
import { leastOf, namedParts, Report } from "../report.ts";
import { answerOf } from "./answer-text.ts";
import { buildPage, buildWidget } from "./build.ts";
import { hostileNames, hostileText } from "./hostile-texts.ts";
import { parsingMs, slowestUnits } from "./measure-parsing.ts";
import { measureReactMarkdown, measureWidget } from "./measure-streaming.ts";
import { measureThread } from "./measure-threads.ts";
import { startSite } from "./site.ts";
import type { Order, Site } from "./site.ts";

const SHORT = 20_000;
const LONG = 200_000;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 1);

const parts: Readonly<Record<string, () => Promise<void> | void>> = { parsing, browsers, citations: browsers, fuzz };
const chosen = namedParts(Object.keys(parts), ["parsing", "browsers"]);
const report = new Report();
for (const name of chosen) await parts[name]?.();
report.end();

function parsing(): void {
  const prose = answerOf(SHORT);
  parsingMs(prose, 5);
  const usualMs = parsingMs(prose, 5);
  for (const name of hostileNames) {
    const shortMs = parsingMs(hostileText(name, SHORT), 3);
    const longMs = parsingMs(hostileText(name, LONG), 1);
    report.ratio(`parsing 20,000 characters of ${name}, against prose`, shortMs, usualMs, 4, "ms");
    // A text that takes less time than prose takes almost none, and its growth is only noise of the measurement.
    report.ratio(
      `parsing 200,000 characters of ${name}, against 20,000`,
      longMs,
      Math.max(shortMs, usualMs / 4),
      12,
      "ms",
    );
  }
}

function fuzz(): void {
  const seed = Number(process.env["BENCH_SEED"] ?? 1);
  for (const { unit, times } of slowestUnits(300, seed).slice(0, 20)) {
    console.log(`${times.toFixed(1)} × prose: ${JSON.stringify(unit)}`);
  }
}

async function browsers(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "nitka-bench-"));
  await buildPage(join(import.meta.dirname, "react-markdown-page.ts"), folder);
  const folders = { widget: buildWidget(), pages: folder };
  const site = await startSite({ folders, threads: { short: 50, long: 5000 } });
  try {
    // Both paths are the same if NITKA_CHROMIUM is set or only one browser is installed.
    for (const path of new Set([await findBrowser("whole"), await findBrowser()])) await measureIn(path, site);
  } finally {
    await site.close();
    await rm(folder, { recursive: true });
  }
}

async function measureIn(executablePath: string, site: Site): Promise<void> {
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"],
  });
  try {
    report.section(`${basename(executablePath)} ${browser.version()}`);
    if (chosen.includes("browsers")) {
      await streams(browser, site);
      await threads(browser, site);
    }
    await citations(browser, site);
  } finally {
    await browser.close();
  }
}

async function streams(browser: Browser, site: Site): Promise<void> {
  const answer: Order = { chars: 66_000, pace: "paced" };
  const measure = (order: Order) => () => measureWidget(browser, site, order);
  const { widget, reactMarkdown } = await leastOf(ROUNDS, {
    widget: measure(answer),
    reactMarkdown: () => measureReactMarkdown(browser, site, answer),
  });
  report.ratio(
    "66,000 characters, main thread, against react-markdown",
    widget.taskMs,
    reactMarkdown.taskMs,
    0.3,
    "ms",
  );
  const beside = `react-markdown ${reactMarkdown.gapP95.toFixed(1)}`;
  report.below("66,000 characters, frame gap p95", widget.gapP95, 20, "ms", beside);

  const { short, long } = await leastOf(ROUNDS, {
    short: measure({ chars: 10_000, pace: "paced" }),
    long: measure({ chars: 200_000, pace: "paced" }),
  });
  const perThousand = ({ taskMs }: { readonly taskMs: number }, chars: number) => (taskMs / chars) * 1000;
  report.ratio(
    "1,000 characters, main thread, in 200,000 against in 10,000",
    perThousand(long, 200_000),
    perThousand(short, 10_000),
    1.3,
    "ms",
  );
  report.below("200,000 characters, memory above the empty page", long.heapMb, 12, "MB");

  const { burst } = await leastOf(ROUNDS, { burst: measure({ chars: 66_000, pace: "burst" }) });
  report.below("66,000 characters at once, longest task", burst.longestTask, 100, "ms");
}

async function citations(browser: Browser, site: Site): Promise<void> {
  const order: Order = { chars: 20_000, pace: "paced" };
  const { plain, cited } = await leastOf(Math.max(ROUNDS, 3), {
    plain: () => measureWidget(browser, site, order),
    cited: () => measureWidget(browser, site, { ...order, citations: 50 }),
  });
  report.ratio("20,000 characters, main thread, with 50 citations against none", cited.taskMs, plain.taskMs, 1.2, "ms");
}

async function threads(browser: Browser, site: Site): Promise<void> {
  const few = await measureThread(browser, site, "Тема short");
  const many = await measureThread(browser, site, "Тема long");
  const of50 = (value: number) => `of 50: ${value.toFixed(1)}`;
  report.ratio("5,000 messages, opening, against 50", many.openMs, few.openMs, 2, "ms");
  report.below("5,000 messages, frames until one more is shown", many.appendFrames, 1, "", of50(few.appendFrames));
  report.below(
    "5,000 messages, main thread for a streamed frame",
    many.streamMsPerFrame,
    6,
    "ms",
    of50(few.streamMsPerFrame),
  );
  report.below("5,000 messages, blank frames while scrolling up", many.scroll.blank, 0, "");
  report.below(
    "5,000 messages, jumps while scrolling up",
    many.scroll.jumps,
    0,
    "",
    `frame gap p95 ${many.scroll.gapP95.toFixed(1)} ms`,
  );
}
