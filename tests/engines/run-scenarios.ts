import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createServerBackend } from "../browser/server-backend.ts";
import { startSite } from "../browser/site.ts";
import type { Site } from "../browser/site.ts";
import type { Driver } from "./driver.ts";
import { answers } from "./scenarios/answers.ts";
import { citations } from "./scenarios/citations.ts";
import { failedFiles } from "./scenarios/failed-files.ts";
import { habits } from "./scenarios/habits.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { search } from "./scenarios/search.ts";
import { takingAlong } from "./scenarios/taking-along.ts";
import { threads } from "./scenarios/threads.ts";
import { views } from "./scenarios/views.ts";
import { voice } from "./scenarios/voice.ts";
import { windows } from "./scenarios/windows.ts";
import { WidgetPage } from "./widget-page.ts";

/** What is typed, composed, pasted and pressed, in fields and in lists. */
export const typing: readonly Scenario[] = [...answers, ...threads, ...habits, ...search];

export const all: readonly Scenario[] = [
  ...typing,
  ...views,
  ...windows,
  ...citations,
  ...voice,
  ...failedFiles,
  ...takingAlong,
];

/** Registers a test for each scenario. All run in one browser, each on its own site. */
export function runScenarios(engine: string, start: () => Promise<Driver>, scenarios = all): void {
  describe(`the widget in ${engine}`, () => {
    let driver: Driver;
    let site: Site;
    beforeAll(async () => {
      driver = await start();
    });
    afterAll(() => driver?.close());
    beforeEach(async () => {
      site = await startSite(createServerBackend);
      await driver.reset();
    });
    afterEach(() => site.close());

    it.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
      "%s",
      async (_, { run, allowedErrors = /^$/ }) => {
        const page = new WidgetPage(driver, site);
        await run(page, site);
        expect((await page.errors()).filter((error) => !allowedErrors.test(error))).toEqual([]);
      },
    );
  });
}
