/** Holds a backend to the protocol, as `nitka conformance` does. */
export { outcomeText, summaryText } from "./conformance-text.ts";
export { reachProblem } from "./reach-problem.ts";
export { runConformance } from "./run-conformance.ts";
export type { ConformanceReport, Outcome } from "./run-conformance.ts";
export type { SessionOptions } from "./session.ts";
