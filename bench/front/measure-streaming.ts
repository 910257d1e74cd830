/** An answer while it streams in the widget and in react-markdown. */
import type { Browser } from "@playwright/test";
import { percentile } from "../report.ts";
import { converse, openChat } from "./chat.ts";
import { openPage } from "./measured-page.ts";
import type { MeasuredPage } from "./measured-page.ts";
import { questionFor } from "./site.ts";
import type { Order, Site } from "./site.ts";

export interface StreamFigures {
  readonly taskMs: number;
  readonly gapP95: number;
  readonly longestTask: number;
  /** The memory that the answer added to the page. */
  readonly heapMb: number;
}

/** Loads everything that the first answer needs, so that the loading is not measured. */
const WARM_UP: Order = { chars: 3000, pace: "burst", citations: 1 };

export async function measureWidget(browser: Browser, site: Site, order: Order): Promise<StreamFigures> {
  const measured = await openChat(browser, site, "empty");
  const empty = await measured.heapMb();
  await converse(measured, WARM_UP);
  return measure(measured, () => converse(measured, order), empty);
}

export async function measureReactMarkdown(browser: Browser, site: Site, order: Order): Promise<StreamFigures> {
  const measured = await openPage(browser, `${site.origin}/pages/`);
  const empty = await measured.heapMb();
  const ask = (asked: Order) => measured.page.evaluate((text) => window.ask(text), questionFor(asked));
  await ask(WARM_UP);
  return measure(measured, () => ask(order), empty);
}

async function measure(measured: MeasuredPage, run: () => Promise<void>, empty: number): Promise<StreamFigures> {
  await measured.page.waitForTimeout(500);
  const stop = await measured.recordFrames();
  const before = await measured.taskMs();
  await run();
  const taskMs = (await measured.taskMs()) - before;
  const { gaps, longestTask } = await stop();
  const heapMb = (await measured.heapMb()) - empty;
  await measured.close();
  return { taskMs, gapP95: percentile(gaps, 0.95), longestTask, heapMb };
}
