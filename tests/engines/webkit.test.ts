import { findWebKit } from "../../scripts/find-engines.mjs";
import { runScenarios } from "./run-scenarios.ts";
import { startWebKit } from "./webkit-driver.ts";

runScenarios("WebKit", async () => startWebKit(await findWebKit()));
