/** Threads with many messages: opening them, adding a message, streaming and scrolling. */
import type { Browser } from "@playwright/test";
import { percentile } from "../report.ts";
import { converse, openChat } from "./chat.ts";
import { lastWords } from "./answer-text.ts";
import type { MeasuredPage } from "./measured-page.ts";
import type { Site } from "./site.ts";

export interface ThreadFigures {
  /** The time from the press on the thread's row until its last message is on the page. */
  readonly openMs: number;
  /** The number of frames between Enter and the question on the page. */
  readonly appendFrames: number;
  /** The main thread's time for each frame while an answer streams. */
  readonly streamMsPerFrame: number;
  readonly scroll: ScrollFigures;
}

export interface ScrollFigures {
  /** The number of frames without a message around the middle of the view. */
  readonly blank: number;
  /** The number of frames in which the text moved against the scroll direction, or further than the scroll. */
  readonly jumps: number;
  readonly gapP95: number;
}

const ROUNDS = 3;

export async function measureThread(browser: Browser, site: Site, title: string): Promise<ThreadFigures> {
  const opened: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const each = await openChat(browser, site, "empty");
    opened.push(await openThread(each, title));
    await each.close();
  }
  const measured = await openChat(browser, site, "empty");
  await openThread(measured, title);
  const scroll = await scrollUp(measured);
  await measured.page.getByRole("button", { name: "Прокрутить вниз" }).click();
  await measured.page.waitForTimeout(1000);
  const appendFrames = await append(measured);
  const streamMsPerFrame = await stream(measured);
  await measured.close();
  return { openMs: Math.min(...opened), appendFrames, streamMsPerFrame, scroll };
}

async function openThread({ page }: MeasuredPage, title: string): Promise<number> {
  return page.evaluate(
    async ({ name, words }) => {
      const root = document.querySelector("nitka-chat")?.shadowRoot;
      const find = () =>
        [...(root?.querySelectorAll<HTMLElement>(".thread-open") ?? [])].find((each) =>
          each.textContent.includes(name),
        );
      // The list may appear after the composer.
      let row = find();
      for (; !row; row = find()) await new Promise(requestAnimationFrame);
      const start = performance.now();
      row.click();
      const isShown = () => [...(root?.querySelectorAll(".markdown") ?? [])].at(-1)?.textContent.includes(words);
      while (!isShown()) await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return performance.now() - start;
    },
    { name: title, words: lastWords },
  );
}

async function append(measured: MeasuredPage): Promise<number> {
  const { page } = measured;
  const frames = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const root = document.querySelector("nitka-chat")?.shadowRoot;
        const count = () => root?.querySelectorAll(".user-message").length ?? 0;
        root?.addEventListener(
          "keydown",
          () => {
            const before = [...(root.querySelectorAll(".user-message") ?? [])].at(-1);
            let passed = 0;
            requestAnimationFrame(function look() {
              const last = [...(root.querySelectorAll(".user-message") ?? [])].at(-1);
              if (last !== before && count() > 0) resolve(passed);
              else requestAnimationFrame(look);
              passed += 1;
            });
          },
          { capture: true, once: true },
        );
      }),
  );
  await converse(measured, { chars: 200, pace: "burst" });
  return frames;
}

async function stream(measured: MeasuredPage): Promise<number> {
  const stop = await measured.recordFrames();
  const before = await measured.taskMs();
  await converse(measured, { chars: 12_000, pace: "paced" });
  const taskMs = (await measured.taskMs()) - before;
  const { gaps } = await stop();
  return taskMs / gaps.length;
}

async function scrollUp(measured: MeasuredPage): Promise<ScrollFigures> {
  const { page } = measured;
  const box = await page.locator(".thread-viewport").boundingBox();
  if (!box) throw new Error("The thread has no viewport to scroll.");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const watcher = await page.evaluateHandle(
    ({ x, y }) => {
      const root = document.querySelector("nitka-chat")?.shadowRoot;
      const messageAt = (top: number) => root?.elementFromPoint(x, top)?.closest(".message") ?? undefined;
      let watched: Element | undefined;
      let lastTop = 0;
      let blank = 0;
      let jumps = 0;
      let frame = requestAnimationFrame(look);
      function look(): void {
        const moved = watched?.isConnected ? watched.getBoundingClientRect().top - lastTop : 0;
        if (moved < -2 || moved > 2500) jumps += 1;
        watched = [0, -40, 40].map((offset) => messageAt(y + offset)).find(Boolean);
        if (watched) lastTop = watched.getBoundingClientRect().top;
        else blank += 1;
        frame = requestAnimationFrame(look);
      }
      return {
        stop() {
          cancelAnimationFrame(frame);
          return { blank, jumps };
        },
      };
    },
    { x: box.x + box.width / 2, y: box.y + box.height / 2 },
  );
  const stop = await measured.recordFrames();
  for (let step = 0; step < 90; step += 1) {
    await page.mouse.wheel(0, -500);
    await page.waitForTimeout(16);
  }
  await page.waitForTimeout(300);
  const { gaps } = await stop();
  const { blank, jumps } = await watcher.evaluate((each) => each.stop());
  return { blank, jumps, gapP95: percentile(gaps, 0.95) };
}
