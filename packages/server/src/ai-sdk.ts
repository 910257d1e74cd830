/** Makes a model from any language model of the AI SDK. */
export { createAiSdkModel } from "./model/ai-sdk-model.ts";
export type { AiSdkModelOptions, ReasoningEffort } from "./model/ai-sdk-model.ts";
export type { Clock } from "./model/clock.ts";
export type { OpenTools, ToolRun } from "./model/open-tools.ts";
export type { HostContent } from "./model/written-content.ts";
