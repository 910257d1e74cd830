/** Only for tests and benchmarks: a model that plays a script, a manual clock, an absent visitor. */
export { createManualClock } from "./model/testing/manual-clock.ts";
export type { ManualClock } from "./model/testing/manual-clock.ts";
export { absentVisitor } from "./model/testing/absent-visitor.ts";
export { createScriptedModel, saying } from "./model/testing/scripted-model.ts";
export type { ScriptedModelOptions, ScriptLine } from "./model/testing/scripted-model.ts";
