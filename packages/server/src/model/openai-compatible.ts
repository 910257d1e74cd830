import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { OpenAICompatibleProviderSettings } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Model } from "./model.ts";
import { definedField, providerModel } from "./provider-model.ts";
import type { ProviderModelOptions } from "./provider-model.ts";
import { CompletionRepair, CompletionStream } from "./wire/read-completion.ts";
import type { ReadStream } from "./steps/open-stream.ts";
import { readBody, streamOf, upstreamFetch } from "./wire/upstream-fetch.ts";
import type { ItemReader } from "./wire/upstream-fetch.ts";

export type { ProviderModelOptions } from "./provider-model.ts";

/**
 * A model behind any server that implements OpenAI's chat completions.
 *
 * @example
 * createOpenAiCompatibleModel({ model: "llama3.2", baseUrl: "http://localhost:11434/v1" })
 */
export function createOpenAiCompatibleModel(options: ProviderModelOptions & { readonly baseUrl: string }): Model {
  if (isOpenAi(options.baseUrl)) return createOpenAiModel(options);
  // Only OpenAI itself reads all kinds of files over this protocol. Others refuse the whole request because of a PDF.
  const dialect = isMistral(options.baseUrl) ? { includeUsage: false, transformRequestBody: withoutReasoning } : {};
  return chatCompletionsModel({ input: ["image"], reasoningTag: "think", ...options }, dialect);
}

/** A model of OpenAI, at its own address or behind a gateway. */
export function createOpenAiModel({ baseUrl = OPENAI, ...options }: ProviderModelOptions): Model {
  return chatCompletionsModel(
    { ...leastReasoning(options.model), ...options, baseUrl },
    { transformRequestBody: withCompletionTokens },
  );
}

export const OPENAI = "https://api.openai.com/v1";

function chatCompletionsModel(
  options: ProviderModelOptions & { readonly baseUrl: string },
  dialect: Pick<OpenAICompatibleProviderSettings, "includeUsage" | "transformRequestBody">,
): Model {
  const readers: StreamReaders = new WeakMap();
  const fetch = upstreamFetch(options.fetch, (body, init) => {
    if (!init?.signal || !isStreamed(init)) return streamOf(readBody(body, new CompletionRepair()));
    readers.set(init.signal, readBody(body, new CompletionStream(body.contentType)));
    return "";
  });
  const provider = createOpenAICompatible({
    name: "upstream",
    baseURL: openAiBaseUrl(options.baseUrl),
    includeUsage: true,
    ...dialect,
    ...definedField("apiKey", options.apiKey),
    ...definedField("headers", options.headers),
    fetch,
  });
  return providerModel(options, withReaders(provider(options.model), readers));
}

/** The readers by the signals of their requests. */
type StreamReaders = WeakMap<AbortSignal, ItemReader<LanguageModelV4StreamPart>>;

/** The SDK's model makes the requests, but our code reads the streams: the SDK gets an empty response. */
function withReaders(model: LanguageModelV4, readers: StreamReaders): LanguageModelV4 {
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    async doStream({ abortSignal = new AbortController().signal, ...options }): Promise<ReadStream> {
      const result = await model.doStream({ ...options, abortSignal });
      const reader = readers.get(abortSignal);
      if (!reader) return result;
      result.stream.cancel().catch(() => undefined);
      return { ...result, stream: streamOf(reader), reader };
    },
  };
}

/** The least effort of OpenAI's reasoning models. Other models refuse a request that contains an effort. */
function leastReasoning(model: string): Pick<ProviderModelOptions, "exchangeReasoning"> {
  if (/^o\d/.test(model)) return { exchangeReasoning: "low" };
  if (!model.startsWith("gpt-5")) return {};
  return { exchangeReasoning: model.startsWith("gpt-5.") ? "none" : "minimal" };
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

/** Whether a request asks for a stream. Inside a text, the quotation marks of this pattern would be escaped. */
function isStreamed(init: RequestInit | undefined): boolean {
  return typeof init?.body === "string" && init.body.lastIndexOf('"stream":true') >= 0;
}

function isOpenAi(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "api.openai.com" || hostname.endsWith(".openai.azure.com");
}

/** Mistral refuses unknown fields. It reports token counts without being asked. */
function isMistral(baseUrl: string): boolean {
  return new URL(baseUrl).hostname.endsWith("mistral.ai");
}

function withoutReasoning(body: Record<string, unknown>): Record<string, unknown> {
  const messages = (body["messages"] as readonly object[]).map((message) =>
    Object.fromEntries(Object.entries(message).filter(([name]) => name !== "reasoning_content")),
  );
  return { ...body, messages };
}

/** OpenAI's reasoning models refuse `max_tokens`, the older name of the limit; other servers only know that name. */
function withCompletionTokens({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}
