import type { Embeddings, KnowledgeSource, KnowledgeStore } from "@nitka/knowledge";
import { createEmbedTexts } from "@nitka/server/embeddings";
import type { Knowledge } from "@nitka/server";
import type { KnowledgeFields } from "../config/knowledge-fields.ts";
import { HELP_ORIGIN } from "./help-pages.ts";
import { placeOf } from "../models.ts";
import type { ModelSources } from "../models.ts";

/** Makes the search of a project's pages. */
export type KnowledgeOf = (projectId: string, fields: KnowledgeFields, sources: ModelSources) => Knowledge;

/** The search of a project's pages, as its model gets it. */
export async function searchIn(
  store: KnowledgeStore,
  [projectId, fields]: readonly [projectId: string, fields: KnowledgeFields],
  sources: ModelSources,
): Promise<Knowledge> {
  const { createKnowledge } = await import("@nitka/knowledge");
  const embeddings = embeddingsOf(fields, sources);
  const pages = createKnowledge({ store, projectId, ...(embeddings ? { embeddings } : {}) });
  return {
    search: async (query, options) => {
      const passages = await pages.search(query, options);
      return passages.map((passage) => Object.assign(passage, { url: passage.url.replace(HELP_ORIGIN, "") }));
    },
  };
}

/**
 * The sources of a project with the package's type. The validation of the file has ensured that each source has one
 * kind.
 */
export function sourcesOf({ sources }: KnowledgeFields): readonly KnowledgeSource[] {
  return sources as readonly KnowledgeSource[];
}

/** The model in the field `embeddings`, if the field is set. */
export function embeddingsOf({ embeddings: id }: KnowledgeFields, sources: ModelSources): Embeddings | undefined {
  if (id === undefined) return undefined;
  const { model, provider } = placeOf(id, sources);
  const { type, baseUrl, ...access } = provider;
  const kind = type === "google" ? "google" : "openai-compatible";
  return {
    model: id,
    embed: createEmbedTexts({ type: kind, model, ...access, ...(baseUrl === undefined ? {} : { baseUrl }) }),
  };
}

/** The problem with a project's embedding model, in a sentence. */
export function embeddingsProblems(project: string, fields: KnowledgeFields, sources: ModelSources): readonly string[] {
  const id = fields.embeddings;
  if (id === undefined) return [];
  const expects = (what: string) => [
    `projects.${project}.knowledge.embeddings is ${JSON.stringify(id)}: expected ${what}.`,
  ];
  if (id === "demo") return expects("an embedding model of a service, such as openai:text-embedding-3-small");
  const { provider, missing } = placeOf(id, sources);
  if (missing !== undefined) return expects(`${missing} to be set as well`);
  return provider.type === "anthropic" ? expects("a model of another provider, since Anthropic has none") : [];
}
