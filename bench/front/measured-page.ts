/** A browser page whose main thread, memory and frames can be measured. */
import type { Browser, BrowserContext, CDPSession, Page } from "@playwright/test";

export interface MeasuredPage {
  readonly page: Page;
  /** The milliseconds of the main thread's work so far. */
  taskMs(): Promise<number>;
  /** The megabytes in use after a garbage collection. */
  heapMb(): Promise<number>;
  /** Records the times between frames, and tasks of 50 ms or more, until the returned function is called. */
  recordFrames(): Promise<() => Promise<Frames>>;
  close(): Promise<void>;
}

export interface Frames {
  /** The milliseconds between one frame and the next. */
  readonly gaps: readonly number[];
  /** The longest task in milliseconds; 0 if none was as long as 50. */
  readonly longestTask: number;
}

/** @param prepare runs before the page loads */
export async function openPage(
  browser: Browser,
  url: string,
  prepare?: (page: Page, session: CDPSession) => Promise<unknown>,
): Promise<MeasuredPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  // Only the thread's own time is measured, so that other programs on the machine do not count.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await prepare?.(page, session);
  await page.goto(url);
  return measuredPage(context, page, session);
}

function measuredPage(context: BrowserContext, page: Page, session: CDPSession): MeasuredPage {
  const metric = async (name: string): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find((each) => each.name === name)?.value ?? 0;
  };
  return {
    page,
    taskMs: async () => (await metric("TaskDuration")) * 1000,
    async heapMb() {
      for (let round = 0; round < 3; round += 1) await session.send("HeapProfiler.collectGarbage");
      return (await metric("JSHeapUsedSize")) / 1e6;
    },
    async recordFrames() {
      const recorder = await page.evaluateHandle(() => {
        const gaps: number[] = [];
        let longestTask = 0;
        let last = performance.now();
        let frame = requestAnimationFrame(tick);
        function tick(now: number): void {
          gaps.push(now - last);
          last = now;
          frame = requestAnimationFrame(tick);
        }
        const observer = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
        });
        observer.observe({ type: "longtask" });
        return {
          stop() {
            cancelAnimationFrame(frame);
            observer.disconnect();
            return { gaps: gaps.slice(1), longestTask };
          },
        };
      });
      return async () => {
        const frames = await recorder.evaluate((each) => each.stop());
        await recorder.dispose();
        return frames;
      };
    },
    close: () => context.close(),
  };
}
