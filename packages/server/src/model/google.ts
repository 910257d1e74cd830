import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type { Model } from "./model.ts";
import { providerModel, providerSettings } from "./provider-model.ts";
import type { ProviderModelOptions } from "./provider-model.ts";

export type { ProviderModelOptions } from "./provider-model.ts";

/** A model of Google's Gemini API. */
export function createGoogleModel(options: ProviderModelOptions): Model {
  // Only 2.5 models can switch reasoning off; other models reason at least a little.
  const exchangeReasoning = options.model.includes("2.5") ? "none" : "minimal";
  return providerModel(
    { exchangeReasoning, resultInput: ["image", "pdf", "audio"], ...options },
    createGoogleGenerativeAI(providerSettings(options))(options.model),
  );
}
