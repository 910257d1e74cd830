import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { embedMany } from "ai";
import { OPENAI, openAiBaseUrl } from "./openai-compatible.ts";
import { providerSettings } from "./provider-model.ts";
import type { ProviderAccess } from "./provider-model.ts";

/** The default of `baseUrl` is the public address of OpenAI or Google. */
export interface EmbedTextsOptions extends ProviderAccess {
  readonly type: "openai-compatible" | "google";
  /** The provider's name of the model, such as `text-embedding-3-small`. */
  readonly model: string;
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

function embeddingModel({ type, model, ...access }: EmbedTextsOptions): EmbeddingModelV4 {
  const settings = providerSettings(access);
  if (type === "google") return createGoogleGenerativeAI(settings).embeddingModel(model);
  const baseURL = openAiBaseUrl(access.baseUrl ?? OPENAI);
  return createOpenAICompatible({ ...settings, name: "upstream", baseURL }).embeddingModel(model);
}
