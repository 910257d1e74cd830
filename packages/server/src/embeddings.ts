/** Embeddings: vectors of texts, made by the models of services. */
export { createEmbedTexts } from "./model/embed-texts.ts";
export type { EmbedTexts, EmbedTextsOptions } from "./model/embed-texts.ts";
