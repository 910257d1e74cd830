/** Models of the world outside, one factory for each kind of provider. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createAiSdkModel } from "./ai-sdk-model.ts";
import type { AiSdkModelOptions } from "./ai-sdk-model.ts";
import type { Model } from "./model.ts";

export interface ProviderModelOptions extends Omit<AiSdkModelOptions, "id" | "name" | "languageModel"> {
  /** The provider's own name of the model, such as `gpt-5-mini`. */
  readonly model: string;
  /** What visitors' requests call it; the provider's name unless given. */
  readonly id?: string;
  /** What people read; the id unless given. */
  readonly name?: string;
  readonly apiKey?: string;
  /** The provider's own address unless given. */
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
    ...given("apiKey", options.apiKey),
    ...given("fetch", options.fetch),
  });
  return providerModel(options, provider(options.model));
}

/** A model of Anthropic's. It caches what of the prompt stays the same: elsewhere that goes without saying. */
export function createAnthropicModel(options: ProviderModelOptions): Model {
  const cacheMark = { anthropic: { cacheControl: { type: "ephemeral" } } };
  return providerModel({ cacheMark, ...options }, createAnthropic(settings(options))(options.model));
}

/** A model of Google's Gemini API. */
export function createGoogleModel(options: ProviderModelOptions): Model {
  return providerModel(options, createGoogleGenerativeAI(settings(options))(options.model));
}

/**
 * The base URL as the provider wants it: it ends with `/v1` by convention. An address without a path gets it, one that
 * names the call itself loses that.
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

/** OpenAI's own models that think refuse the older name of the limit, which everyone else understands. */
function withCompletionTokens({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}

function providerModel(options: ProviderModelOptions, languageModel: LanguageModelV4): Model {
  const id = options.id ?? options.model;
  return createAiSdkModel({ ...options, id, name: options.name ?? id, languageModel });
}

function settings({ apiKey, baseUrl, fetch }: ProviderModelOptions) {
  return { ...given("apiKey", apiKey), ...given("baseURL", baseUrl), ...given("fetch", fetch) };
}

/** A field, where it has a value: to the providers an undefined setting is one that was given. */
function given<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V };
}
