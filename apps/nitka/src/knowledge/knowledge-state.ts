import type { KnowledgeStore, ReadingResult } from "@nitka/knowledge";
import type { KnowledgeFields } from "../config/knowledge-fields.ts";
import { sourcesOf } from "./project-knowledge.ts";

/** The state of a project's knowledge: what was read from its sources. */
export interface KnowledgeState {
  readonly projectId: string;
  readonly sources: readonly { readonly source: string; readonly pages: number; readonly passages: number }[];
  readonly pages: number;
  readonly passages: number;
  readonly lastReading?: Omit<ReadingResult, "startedAt" | "endedAt"> & {
    readonly startedAt: string;
    readonly endedAt: string;
  };
}

export async function knowledgeState(
  store: KnowledgeStore,
  projectId: string,
  fields: KnowledgeFields,
): Promise<KnowledgeState> {
  const { sourceKeys } = await import("@nitka/knowledge");
  const [known, last] = await Promise.all([store.knownPages(projectId), store.lastReading(projectId)]);
  const sources = sourceKeys(sourcesOf(fields)).map((source) => {
    const pages = known.filter((page) => page.source === source);
    return { source, pages: pages.length, passages: passagesOf(pages) };
  });
  const timeOf = (ms: number) => new Date(ms).toISOString();
  return {
    projectId,
    sources,
    pages: known.length,
    passages: passagesOf(known),
    ...(last ? { lastReading: { ...last, startedAt: timeOf(last.startedAt), endedAt: timeOf(last.endedAt) } } : {}),
  };
}

function passagesOf(pages: readonly { readonly passages: number }[]): number {
  return pages.reduce((sum, { passages }) => sum + passages, 0);
}
