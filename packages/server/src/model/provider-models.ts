/** Models of external providers, one factory for each kind of provider. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createAiSdkModel } from "./ai-sdk-model.ts";
import type { AiSdkModelOptions } from "./ai-sdk-model.ts";
import type { Model } from "./model.ts";

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
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A model behind any server that speaks OpenAI's chat completions.
 *
 * @example
 * createOpenAiCompatibleModel({ model: "llama3.2", baseUrl: "http://localhost:11434/v1" })
 */
export function createOpenAiCompatibleModel(options: ProviderModelOptions & { readonly baseUrl: string }): Model {
  const provider = createOpenAICompatible({
    name: "upstream",
    baseURL: openAiBaseUrl(options.baseUrl),
    includeUsage: true,
    ...(isOpenAi(options.baseUrl) ? { transformRequestBody: withCompletionTokens } : {}),
    ...definedField("apiKey", options.apiKey),
    ...definedField("fetch", options.fetch),
  });
  return providerModel(options, provider(options.model));
}

/** A model of Anthropic's. The prompt is marked for caching, which other providers do without a mark. */
export function createAnthropicModel(options: ProviderModelOptions): Model {
  const cacheMark = { anthropic: { cacheControl: { type: "ephemeral" } } };
  return providerModel({ cacheMark, ...options }, createAnthropic(settings(options))(options.model));
}

/** A model of Google's Gemini API. */
export function createGoogleModel(options: ProviderModelOptions): Model {
  return providerModel(options, createGoogleGenerativeAI(settings(options))(options.model));
}

/**
 * The base URL of an OpenAI-compatible server. By convention it ends with `/v1`, which is added to an address without a
 * path. A trailing `/chat/completions` is removed.
 *
 * @example openAiBaseUrl("http://127.0.0.1:4010/") // "http://127.0.0.1:4010/v1"
 */
export function openAiBaseUrl(url: string): string {
  const base = url.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return new URL(base).pathname === "/" ? `${base}/v1` : base;
}

function isOpenAi(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "api.openai.com" || hostname.endsWith(".openai.azure.com");
}

/** OpenAI's reasoning models refuse `max_tokens`, the older name of the limit; other servers know only that one. */
function withCompletionTokens({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}

function providerModel(options: ProviderModelOptions, languageModel: LanguageModelV4): Model {
  const id = options.id ?? options.model;
  return createAiSdkModel({ ...options, id, name: options.name ?? id, languageModel });
}

function settings({ apiKey, baseUrl, fetch }: ProviderModelOptions) {
  return { ...definedField("apiKey", apiKey), ...definedField("baseURL", baseUrl), ...definedField("fetch", fetch) };
}

/** The field when it has a value. The providers take a field that is `undefined` for a given one. */
function definedField<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V };
}
