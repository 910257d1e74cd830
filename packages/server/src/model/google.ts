import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type { Model } from "./model.ts";
import { providerModel, providerSettings } from "./provider-model.ts";
import type { ProviderModelOptions } from "./provider-model.ts";

export type { ProviderModelOptions } from "./provider-model.ts";

/** A model of Google's Gemini API. */
export function createGoogleModel(options: ProviderModelOptions): Model {
  return providerModel(options, createGoogleGenerativeAI(providerSettings(options))(options.model));
}
