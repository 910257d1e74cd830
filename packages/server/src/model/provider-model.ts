/** What the models of all providers have in common. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createAiSdkModel } from "./ai-sdk-model.ts";
import type { AiSdkModelOptions } from "./ai-sdk-model.ts";
import type { Model } from "./model.ts";
import { upstreamFetch } from "./wire/upstream-fetch.ts";

export interface ProviderModelOptions extends Omit<AiSdkModelOptions, "id" | "name" | "languageModel"> {
  /** The provider's name of the model, such as `gpt-5-mini`. */
  readonly model: string;
  /** The model's id in requests of visitors. Default: the provider's name. */
  readonly id?: string;
  /** The name that visitors read. Default: the id. */
  readonly name?: string;
  readonly apiKey?: string;
  /** Default: the provider's public address. */
  readonly baseUrl?: string;
  /** Sent with each request, such as what a gateway asks for. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

/** Makes a model of a provider's language model. */
export function providerModel(options: ProviderModelOptions, languageModel: LanguageModelV4): Model {
  const id = options.id ?? options.model;
  return createAiSdkModel({ ...options, id, name: options.name ?? id, languageModel });
}

/** The settings that every provider takes, without those that are not given. */
export function providerSettings({ apiKey, baseUrl, headers, fetch }: ProviderModelOptions) {
  return {
    ...definedField("apiKey", apiKey),
    ...definedField("headers", headers),
    ...definedField("baseURL", baseUrl),
    fetch: upstreamFetch(fetch),
  };
}

/** The field when it has a value. The providers take a field that is `undefined` for a given one. */
export function definedField<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V };
}
