import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { findBrowser } from "../../scripts/find-browser.mjs";
import { startChromium } from "./puppeteer-driver.ts";
import { all, runScenarios } from "./run-scenarios.ts";

// The step `browser` runs in the same Chromium with the same build.
runScenarios(
  "Chromium",
  async () => startChromium(await findBrowser()),
  all.filter(({ provedBy }) => provedBy === undefined),
);

it("a scenario that Chromium leaves out names existing browser tests", async () => {
  const missing: string[] = [];
  for (const [file, title] of all.flatMap(({ provedBy = [] }) => provedBy)) {
    const tests = await readFile(new URL(`../browser/${file}`, import.meta.url), "utf8");
    if (!tests.includes(title)) missing.push(`${file}: ${title}`);
  }
  expect(missing).toEqual([]);
});
