/** For tests and benchmarks alone: a model that plays a script, a clock set by hand, an absent visitor, a Postgres that is deleted after use. */
export { createManualClock } from "./model/testing/manual-clock.ts";
export type { ManualClock } from "./model/testing/manual-clock.ts";
export { absentVisitor } from "./model/testing/absent-visitor.ts";
export { createScriptedModel, saying } from "./model/testing/scripted-model.ts";
export type { ScriptedModelOptions, ScriptLine } from "./model/testing/scripted-model.ts";
export { startTemporaryPostgres } from "./storage/testing/temporary-postgres.ts";
export type { TemporaryPostgres } from "./storage/testing/temporary-postgres.ts";
