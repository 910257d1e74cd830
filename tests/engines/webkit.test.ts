import { findWebKit } from "../../scripts/find-engines.mjs";
import { runSentences } from "./run-sentences.ts";
import { startWebKit } from "./webkit-driver.ts";

runSentences("WebKit", async () => startWebKit(await findWebKit()));
