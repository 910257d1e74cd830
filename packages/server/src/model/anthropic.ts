import { createAnthropic } from "@ai-sdk/anthropic";
import type { Model } from "./model.ts";
import { providerModel, providerSettings } from "./provider-model.ts";
import type { ProviderModelOptions } from "./provider-model.ts";

export type { ProviderModelOptions } from "./provider-model.ts";

/** A model of Anthropic. The prompt is marked for caching, which other providers do without a mark. */
export function createAnthropicModel(options: ProviderModelOptions): Model {
  const cacheMark = { anthropic: { cacheControl: { type: "ephemeral" } } };
  const defaults = { cacheMark, resultInput: ["image", "pdf"] as const };
  return providerModel({ ...defaults, ...options }, createAnthropic(providerSettings(options))(options.model));
}
