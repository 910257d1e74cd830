import { FIGURES_FRESH_MS, FIGURES_WAIT_MS } from "../timings.ts";
import { within } from "../waiting/within.ts";

/**
 * Figures of the database for the metrics. They are read at most once a minute, and a scrape waits only a moment for
 * them: old figures are better than none, and a slow database must not delay the other metrics.
 *
 * @param none the value until the first read
 */
export function scrapedFigures<T>(none: T, read: (now: Date) => Promise<T>, clock: () => Date): () => Promise<T> {
  let figures = none;
  let askedAt: number | undefined;
  let asking: Promise<unknown> = Promise.resolve();

  async function ask(now: Date): Promise<void> {
    try {
      figures = await read(now);
    } catch {
      // The figures stay unchanged. `/readyz` reports that the database is unavailable.
    }
  }

  return async () => {
    const now = clock();
    if (askedAt === undefined || Math.abs(now.getTime() - askedAt) >= FIGURES_FRESH_MS) {
      askedAt = now.getTime();
      asking = within(ask(now), FIGURES_WAIT_MS);
    }
    await asking;
    return figures;
  };
}
