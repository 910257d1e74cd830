import { findFirefox } from "../../scripts/find-engines.mjs";
import { startFirefox } from "./puppeteer-driver.ts";
import { runSentences } from "./run-sentences.ts";

// Firefox had no TextEvent before version 129, and React takes another way without it.
runSentences("Firefox without TextEvent", async () =>
  startFirefox(await findFirefox(), { "dom.events.textevent.enabled": false }),
);
