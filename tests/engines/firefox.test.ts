import { findFirefox } from "../../scripts/find-engines.mjs";
import { startFirefox } from "./puppeteer-driver.ts";
import { runScenarios } from "./run-scenarios.ts";

runScenarios("Firefox", async () => startFirefox(await findFirefox()));
