/** Checks a backend against the protocol, as `nitka conformance` does. */
export { outcomeText, reachProblem, runConformance, summaryText } from "./run-conformance.ts";
export type { ConformanceReport, Outcome } from "./run-conformance.ts";
export type { SessionOptions } from "./session.ts";
