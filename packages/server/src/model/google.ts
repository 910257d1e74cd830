import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type { Model } from "./model.ts";
import { providerModel, providerSettings } from "./provider-model.ts";
import type { ProviderModelOptions } from "./provider-model.ts";

export type { ProviderModelOptions } from "./provider-model.ts";

/** A model of Google's Gemini API. */
export function createGoogleModel(options: ProviderModelOptions): Model {
  // Only the models of 2.5 can be told to do without; others of them reason a little at the least.
  const exchangeReasoning = options.model.includes("2.5") ? "none" : "minimal";
  return providerModel(
    { exchangeReasoning, resultInput: ["image", "pdf", "audio"], ...options },
    createGoogleGenerativeAI(providerSettings(options))(options.model),
  );
}
