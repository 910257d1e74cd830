/** One round of one peer: its weight, the time until one can type, a streamed answer, a long conversation. */
import type { Browser, Page } from "@playwright/test";
import { lastWords } from "../front/conversation.ts";
import { openPage } from "../front/measured-page.ts";
import type { MeasuredPage } from "../front/measured-page.ts";
import { endOf, questionFor } from "./peer-site.ts";
import type { Peer } from "./peers.ts";

export interface PeerFigures {
  /** KB of files that had arrived when one could type. */
  readonly typeKb: number;
  /** Milliseconds from the navigation until the text field took a letter. */
  readonly typeMs: number;
  /** KB of all files once a first answer with a list, code and a table is shown. */
  readonly answerKb: number;
  /** Milliseconds of main thread for a long streamed answer. */
  readonly streamMs: number;
  /** Milliseconds of main thread from the navigation until a long conversation is shown. */
  readonly threadMs: number;
}

export const FIRST_ANSWER = 3000;
export const LONG_ANSWER = 20_000;
export const CPU_THROTTLE = 4;

interface Typed {
  readonly ms: number;
  readonly bytes: number;
}

declare global {
  interface Window {
    /** Resolves when a text field of the page has taken a letter. */
    typed: Promise<Typed>;
    /** Bytes of the files that arrived until a time, as they were transferred. */
    bytesUntil: (ms: number) => number;
  }
}

export async function measurePeer(browser: Browser, origin: string, peer: Peer): Promise<PeerFigures> {
  const { ms, bytes } = await untilTyped(browser, origin + peer.emptyPath);
  return {
    typeKb: bytes / 1000,
    typeMs: ms,
    ...(await streamed(browser, origin, peer)),
    ...(await opened(browser, origin, peer)),
  };
}

/** Loads a page once, so that the server has compressed its files. */
export async function warmUp(browser: Browser, origin: string, peer: Peer): Promise<void> {
  await untilTyped(browser, origin + peer.emptyPath);
}

async function untilTyped(browser: Browser, url: string): Promise<Typed> {
  const measured = await openPage(browser, url, async (page, session) => {
    await page.addInitScript(countBytes);
    await page.addInitScript(watchTextField);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_THROTTLE });
  });
  const typed = await measured.page.evaluate(() => window.typed);
  await measured.close();
  return typed;
}

async function streamed(
  browser: Browser,
  origin: string,
  peer: Peer,
): Promise<Pick<PeerFigures, "answerKb" | "streamMs">> {
  const measured = await openPage(browser, origin + peer.emptyPath, (page) => page.addInitScript(countBytes));
  await ask(measured, peer, FIRST_ANSWER);
  const bytes = await measured.page.evaluate(() => window.bytesUntil(Infinity));
  const before = await measured.taskMs();
  await ask(measured, peer, LONG_ANSWER);
  const streamMs = (await measured.taskMs()) - before;
  await measured.close();
  return { answerKb: bytes / 1000, streamMs };
}

async function opened(browser: Browser, origin: string, peer: Peer): Promise<Pick<PeerFigures, "threadMs">> {
  const measured = await openPage(browser, origin + peer.longPath);
  await untilShown(measured.page, peer, lastWords);
  const threadMs = await measured.taskMs();
  await measured.close();
  return { threadMs };
}

/** Sends a question. Resolves when all of its answer is on the page, and what follows it has run. */
async function ask({ page }: MeasuredPage, peer: Peer, characters: number): Promise<void> {
  const field = page.locator(
    'textarea:visible, input:not([type="file"], [type="checkbox"]):visible, [contenteditable="true"]:visible',
  );
  await field.first().fill(questionFor(characters));
  await field.first().press("Enter");
  await untilShown(page, peer, endOf(characters));
}

async function untilShown(page: Page, { host, name }: Peer, words: string): Promise<void> {
  try {
    await page.waitForFunction(
      (wanted) => {
        const element = document.querySelector(wanted.host);
        return (element?.shadowRoot ?? element)?.textContent.includes(wanted.words);
      },
      { host, words },
      { polling: 250, timeout: 300_000 },
    );
  } catch (error) {
    throw new Error(`${name} does not show «${words}».`, { cause: error });
  }
  await page.waitForTimeout(500);
}

/** Runs in the page before its own scripts. */
function countBytes(): void {
  window.bytesUntil = (ms) =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter((each) => each instanceof PerformanceResourceTiming)
      .filter(({ name, responseEnd }) => !new URL(name).pathname.startsWith("/api/") && responseEnd <= ms)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

/** Runs in the page before its own scripts: types a letter in every frame until a field has it in the next one. */
function watchTextField(): void {
  const selector = 'textarea, input:not([type="file"], [type="checkbox"]), [contenteditable="true"]';
  const letter = "ы";
  window.typed = new Promise((resolve) => {
    requestAnimationFrame(function look() {
      const field = textFieldIn(document);
      if (field?.getClientRects().length && contentOf(field).includes(letter)) {
        const ms = performance.now();
        resolve({ ms, bytes: window.bytesUntil(ms) });
        return;
      }
      if (field?.getClientRects().length && !field.matches(":disabled")) {
        field.focus();
        document.execCommand("insertText", false, letter);
      }
      requestAnimationFrame(look);
    });
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
