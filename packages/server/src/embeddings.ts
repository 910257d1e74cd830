/** Vectors of texts, by embedding models of services. */
export { createEmbedTexts } from "./model/embed-texts.ts";
export type { EmbedTexts, EmbedTextsOptions } from "./model/embed-texts.ts";
