import { findFirefox } from "../../scripts/find-engines.mjs";
import { startFirefox } from "./puppeteer-driver.ts";
import { runScenarios } from "./run-scenarios.ts";

// Firefox before version 129 has no TextEvent, and React uses other code for text input without it.
runScenarios("Firefox without TextEvent", async () =>
  startFirefox(await findFirefox(), { "dom.events.textevent.enabled": false }),
);
