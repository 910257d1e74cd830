import { findFirefox } from "../../scripts/find-engines.mjs";
import { startFirefox } from "./puppeteer-driver.ts";
import { runScenarios, typing } from "./run-scenarios.ts";

// Firefox before version 129 has no TextEvent. React then uses other code for typing, composition and pasting. Everything else is
// the same as in `firefox.test.ts`.
runScenarios(
  "Firefox without TextEvent",
  async () => startFirefox(await findFirefox(), { "dom.events.textevent.enabled": false }),
  typing,
);
