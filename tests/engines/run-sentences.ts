import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createServerBackend } from "../browser/server-backend.ts";
import { startSite } from "../browser/site.ts";
import type { Site } from "../browser/site.ts";
import type { Driver } from "./driver.ts";
import { answers } from "./sentences/answers.ts";
import type { Sentence } from "./sentences/sentence.ts";
import { threads } from "./sentences/threads.ts";
import { windows } from "./sentences/windows.ts";
import { WidgetPage } from "./widget-page.ts";

const sentences: readonly Sentence[] = [...answers, ...threads, ...windows];

/** Holds every sentence in one browser, each on a site and in a page of its own. */
export function runSentences(engine: string, start: () => Promise<Driver>): void {
  describe(`the widget in ${engine}`, () => {
    let driver: Driver;
    let site: Site;
    beforeAll(async () => {
      driver = await start();
    }, 120_000);
    afterAll(() => driver?.close());
    beforeEach(async () => {
      site = await startSite(createServerBackend);
      await driver.renew();
    });
    afterEach(() => site.close());

    it.each(sentences.map((sentence) => [sentence.says, sentence] as const))(
      "%s",
      async (_, { holds, mayNote = /^$/ }) => {
        const page = new WidgetPage(driver, site);
        await holds(page, site);
        expect((await page.notes()).filter((note) => !mayNote.test(note))).toEqual([]);
      },
    );
  });
}
