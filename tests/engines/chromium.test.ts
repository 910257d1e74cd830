import { findBrowser } from "../../scripts/find-browser.mjs";
import { startChromium } from "./puppeteer-driver.ts";
import { runScenarios } from "./run-scenarios.ts";

runScenarios("Chromium", async () => startChromium(await findBrowser()));
