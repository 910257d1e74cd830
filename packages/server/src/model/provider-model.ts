/** The common options of all providers' models. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createAiSdkModel } from "./ai-sdk-model.ts";
import type { AiSdkModelOptions } from "./ai-sdk-model.ts";
import type { Model } from "./model.ts";
import { upstreamFetch } from "./wire/upstream-fetch.ts";

/** How a provider is reached. */
export interface ProviderAccess {
  readonly apiKey?: string;
  /** Default: the provider's public address. */
  readonly baseUrl?: string;
  /** Headers for each request, for example those that a gateway requires. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

export interface ProviderModelOptions extends ProviderAccess, Omit<AiSdkModelOptions, "id" | "name" | "languageModel"> {
  /** The provider's name of the model, for example `gpt-5-mini`. */
  readonly model: string;
  /** The model's id in requests of visitors. Default: the provider's name. */
  readonly id?: string;
  /** The name that visitors see. Default: the id. */
  readonly name?: string;
}

/** Makes a model of a provider's language model. */
export function providerModel(options: ProviderModelOptions, languageModel: LanguageModelV4): Model {
  const id = options.id ?? options.model;
  return createAiSdkModel({ ...options, id, name: options.name ?? id, languageModel });
}

/** The settings of every provider, without those that are not set. */
export function providerSettings({ apiKey, baseUrl, headers, fetch }: ProviderAccess) {
  return {
    ...definedField("apiKey", apiKey),
    ...definedField("headers", headers),
    ...definedField("baseURL", baseUrl),
    fetch: upstreamFetch(fetch),
  };
}

/** The field if it has a value: the providers treat a field that is `undefined` as set. */
export function definedField<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V };
}
