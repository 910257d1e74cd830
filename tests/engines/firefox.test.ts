import { findFirefox } from "../../scripts/find-engines.mjs";
import { startFirefox } from "./puppeteer-driver.ts";
import { runSentences } from "./run-sentences.ts";

runSentences("Firefox", async () => startFirefox(await findFirefox()));
