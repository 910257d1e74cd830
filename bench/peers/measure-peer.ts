/** One round of one peer: its weight, the time until the visitor can type, streamed answers, a long conversation. */
import { setTimeout as sleep } from "node:timers/promises";
import { errors } from "@playwright/test";
import type { Browser, ConsoleMessage, Page } from "@playwright/test";
import { lastWords } from "../front/answer-text.ts";
import { openPage } from "../front/measured-page.ts";
import type { MeasuredPage } from "../front/measured-page.ts";
import { endOf, questionFor } from "../front/site.ts";
import type { Measure, PeerResults } from "./peer-results.ts";
import type { Peer } from "./peers.ts";

export const FIRST_ANSWER = 3000;
export const LONG_ANSWER = 20_000;
export const CPU_THROTTLE = 4;

/** The number of seconds after which a figure is given up. */
export const LIMIT_S = 60;

/** How long a page may continue to work after it has shown something. */
const SETTLING_MS = 500;

/** The prefix of a page's console messages to the measurement. */
const REPORT = "bench: ";

interface Typed {
  /** The time at which a text field of the page has accepted a letter. */
  readonly ms: number;
  readonly bytes: number;
}

declare global {
  interface Window {
    /** The bytes of the files that had arrived by a time, as transferred. */
    bytesUntil: (ms: number) => number;
  }
}

/** Adds a round to the results of a peer, without the figures that were given up before. */
export async function measurePeer(browser: Browser, origin: string, peer: Peer, results: PeerResults): Promise<void> {
  await attempt(peer, results, ["typeKb", "typeMs"], async () => {
    const { ms, bytes } = await untilTyped(browser, origin + peer.emptyPath);
    results.add({ typeKb: bytes / 1000, typeMs: ms });
  });
  await attempt(peer, results, ["answerKb", "answerMs", "streamMs"], () => streamed(browser, origin, peer, results));
  await attempt(peer, results, ["threadMs"], async () => {
    results.add({ threadMs: await opened(browser, origin, peer) });
  });
}

/** Measures the figures that are still wanted. A figure that cannot be measured is given up, and the rest continues. */
async function attempt(
  { name }: Peer,
  results: PeerResults,
  measures: readonly Measure[],
  measure: () => Promise<void>,
): Promise<void> {
  if (!measures.some((each) => results.wants(each))) return;
  try {
    await measure();
  } catch (error) {
    const reason = error instanceof errors.TimeoutError ? `given up after ${LIMIT_S} s` : "failed";
    const missing = measures.filter((each) => results.wants(each));
    console.error(`${name}, ${missing.join(", ")}: ${reason}: ${String(error)}`);
    for (const each of missing) results.giveUp(each, reason);
  }
}

/** Loads a page once, so that the server compresses its files. A page that does not work fails later, when it is measured. */
export async function warmUp(browser: Browser, origin: string, peer: Peer): Promise<void> {
  await untilTyped(browser, origin + peer.emptyPath).catch(() => undefined);
}

async function untilTyped(browser: Browser, url: string): Promise<Typed> {
  const prepare: Prepare = async (page, session) => {
    await page.addInitScript(countBytes);
    await page.addInitScript(watchTextField, REPORT);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_THROTTLE });
  };
  return await withReport(browser, url, prepare, ({ report }) => JSON.parse(report) as Typed);
}

async function streamed(browser: Browser, origin: string, peer: Peer, results: PeerResults): Promise<void> {
  const prepare: Prepare = (page) => page.addInitScript(countBytes);
  await withPage(browser, origin + peer.emptyPath, prepare, async (measured) => {
    await attempt(peer, results, ["answerKb", "answerMs"], async () => {
      const answerMs = await ask(measured, peer, FIRST_ANSWER);
      const bytes = await measured.page.evaluate(() => window.bytesUntil(Infinity));
      results.add({ answerKb: bytes / 1000, answerMs });
    });
    if (typeof results.cell("answerMs") === "string") return results.giveUp("streamMs", "not measured");
    await attempt(peer, results, ["streamMs"], async () => {
      results.add({ streamMs: await ask(measured, peer, LONG_ANSWER) });
    });
  });
}

async function opened(browser: Browser, origin: string, { host, longPath }: Peer): Promise<number> {
  const prepare: Prepare = (page) => page.addInitScript(watchWords, { begin: REPORT, host, words: lastWords });
  return await withReport(browser, origin + longPath, prepare, async (measured) => {
    await sleep(SETTLING_MS);
    return await measured.taskMs();
  });
}

type Prepare = NonNullable<Parameters<typeof openPage>[2]>;

async function withPage<T>(
  browser: Browser,
  url: string,
  prepare: Prepare | undefined,
  measure: (measured: MeasuredPage) => Promise<T>,
): Promise<T> {
  const measured = await openPage(browser, url, async (page, session) => {
    page.setDefaultNavigationTimeout(LIMIT_S * 1000);
    await prepare?.(page, session);
  });
  try {
    return await measure(measured);
  } finally {
    await measured.close();
  }
}

/**
 * Measures when the page has reported that it is ready. Nothing is evaluated in the page before: at the first evaluation after
 * the load Playwright runs a large script in the page, for which only pages that are not ready by then would wait.
 */
async function withReport<T>(
  browser: Browser,
  url: string,
  prepare: Prepare,
  measure: (measured: MeasuredPage & { readonly report: string }) => T | Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // If the navigation fails, nothing waits for this promise.
  promise.catch(() => undefined);
  const listen: Prepare = async (page, session) => {
    const isReport = (message: ConsoleMessage) => message.text().startsWith(REPORT);
    page
      .waitForEvent("console", { predicate: isReport, timeout: LIMIT_S * 1000 })
      .then((message) => resolve(message.text().slice(REPORT.length)), reject);
    await prepare(page, session);
  };
  return await withPage(browser, url, listen, async (measured) => measure({ ...measured, report: await promise }));
}

/**
 * Sends a question. Returns the main thread's time until the whole answer is on the page and the work after it is done. Work
 * before the question does not count.
 */
async function ask(measured: MeasuredPage, peer: Peer, characters: number): Promise<number> {
  const { page } = measured;
  const field = page
    .locator('textarea:visible, input:not([type="file"], [type="checkbox"]):visible, [contenteditable="true"]:visible')
    .first();
  await field.waitFor({ timeout: LIMIT_S * 1000 });
  await sleep(SETTLING_MS);
  const before = await measured.taskMs();
  await field.fill(questionFor({ chars: characters, pace: "paced" }));
  await field.press("Enter");
  await untilShown(page, peer, endOf(characters));
  return (await measured.taskMs()) - before;
}

async function untilShown(page: Page, { host }: Peer, words: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const element = document.querySelector(wanted.host);
      return (element?.shadowRoot ?? element)?.textContent.includes(wanted.words);
    },
    { host, words },
    { polling: 250, timeout: LIMIT_S * 1000 },
  );
  await sleep(SETTLING_MS);
}

/** Runs in the page before its own scripts. */
function countBytes(): void {
  window.bytesUntil = (ms) =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter((each) => each instanceof PerformanceResourceTiming)
      .filter(({ name, responseEnd }) => !new URL(name).pathname.startsWith("/api/") && responseEnd <= ms)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

/** Runs in the page before its own scripts: reports when the words are on the page. */
function watchWords({ begin, host, words }: Readonly<Record<"begin" | "host" | "words", string>>): void {
  const timer = setInterval(() => {
    const element = document.querySelector(host);
    if (!(element?.shadowRoot ?? element)?.textContent.includes(words)) return;
    clearInterval(timer);
    console.debug(begin);
  }, 250);
}

/**
 * Runs in the page before its own scripts: types a letter in every frame until a field has it in the next one, and reports
 * when that was.
 */
function watchTextField(begin: string): void {
  const selector = 'textarea, input:not([type="file"], [type="checkbox"]), [contenteditable="true"]';
  const letter = "ы";
  requestAnimationFrame(function look() {
    const field = textFieldIn(document);
    if (field?.getClientRects().length && contentOf(field).includes(letter)) {
      const ms = performance.now();
      console.debug(begin + JSON.stringify({ ms, bytes: window.bytesUntil(ms) }));
      return;
    }
    if (field?.getClientRects().length && !field.matches(":disabled")) {
      field.focus();
      document.execCommand("insertText", false, letter);
    }
    requestAnimationFrame(look);
  });

  function textFieldIn(root: ParentNode): HTMLElement | undefined {
    const found = root.querySelector<HTMLElement>(selector);
    if (found) return found;
    for (const { shadowRoot } of root.querySelectorAll("*")) {
      const inside = shadowRoot && textFieldIn(shadowRoot);
      if (inside) return inside;
    }
    return undefined;
  }

  function contentOf(field: HTMLElement): string {
    return "value" in field && typeof field.value === "string" ? field.value : field.textContent;
  }
}
