import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { embedMany } from "ai";
import { openAiBaseUrl } from "./openai-compatible.ts";
import { definedField } from "./provider-model.ts";
import { upstreamFetch } from "./wire/upstream-fetch.ts";

export interface EmbedTextsOptions {
  readonly type: "openai-compatible" | "google";
  /** The provider's name of the model, such as `text-embedding-3-small`. */
  readonly model: string;
  /** Default: the public address of OpenAI or Google. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

/** Makes vectors of texts, in the order of the texts. Rejects when the service does not answer after two retries. */
export type EmbedTexts = (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;

/** Makes vectors with a service's embedding model. */
export function createEmbedTexts(options: EmbedTextsOptions): EmbedTexts {
  const model = embeddingModel(options);
  return async (texts, signal) => {
    const { embeddings } = await embedMany({ model, values: [...texts], abortSignal: signal });
    return embeddings.map((vector) => Float32Array.from(vector));
  };
}

function embeddingModel({ type, model, baseUrl, fetch, ...access }: EmbedTextsOptions): EmbeddingModelV4 {
  const settings = {
    ...definedField("apiKey", access.apiKey),
    ...definedField("headers", access.headers),
    fetch: upstreamFetch(fetch),
  };
  if (type === "google") {
    return createGoogleGenerativeAI({ ...settings, ...definedField("baseURL", baseUrl) }).embeddingModel(model);
  }
  const baseURL = openAiBaseUrl(baseUrl ?? "https://api.openai.com/v1");
  return createOpenAICompatible({ ...settings, name: "upstream", baseURL }).embeddingModel(model);
}
