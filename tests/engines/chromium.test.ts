import { findBrowser } from "../../scripts/find-browser.mjs";
import { startChromium } from "./puppeteer-driver.ts";
import { runSentences } from "./run-sentences.ts";

runSentences("Chromium", async () => startChromium(await findBrowser()));
