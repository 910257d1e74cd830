import type { Knowledge, Passage } from "@nitka/server";
import { passageUrl } from "./search/passage-url.ts";
import { createMeaningSearch } from "./search/search-meaning.ts";
import type { Embeddings } from "./search/search-meaning.ts";
import { searchWords } from "./search/search-words.ts";
import type { FoundPassage, KnowledgeStore } from "./store/knowledge-store.ts";

export interface KnowledgeOptions {
  readonly store: KnowledgeStore;
  readonly projectId: string;
  /** Also finds by meaning what has none of the question's words. */
  readonly embeddings?: Embeddings;
}

/** Ranks below the first count less by this (reciprocal rank fusion, Cormack and others 2009). */
const RANK_SHIFT = 60;

/** How many passages of each kind are joined. */
const JOINED = 30;

/** The search of a project's pages. */
export function createKnowledge({ store, projectId, embeddings }: KnowledgeOptions): Knowledge {
  const searchMeaning = embeddings && createMeaningSearch(store, projectId, embeddings);
  return {
    async search(query, { limit, signal }) {
      const words = searchWords(store.index, projectId, query, searchMeaning ? JOINED : limit);
      // Words alone serve while the service of embeddings fails or is slow.
      const meaning = searchMeaning?.(query, JOINED, signal).catch(() => []) ?? [];
      const [byWords, byMeaning] = await Promise.all([words, meaning]);
      signal.throwIfAborted();
      return joined(byWords, byMeaning).slice(0, limit).map(passageOf);
    },
  };
}

/** Both lists as one, by their ranks: their scores do not compare. */
function joined(byWords: readonly FoundPassage[], byMeaning: readonly FoundPassage[]): readonly FoundPassage[] {
  if (byMeaning.length === 0) return byWords;
  const scores = new Map<number, FoundPassage>();
  for (const list of [byWords, byMeaning]) {
    for (const [rank, passage] of list.entries()) {
      const score = (scores.get(passage.id)?.score ?? 0) + 1 / (RANK_SHIFT + rank + 1);
      scores.set(passage.id, { ...passage, score });
    }
  }
  return [...scores.values()].toSorted((one, other) => other.score - one.score || one.id - other.id);
}

function passageOf(passage: FoundPassage): Passage {
  const { title, headings, text, score } = passage;
  const heading = headings.at(-1);
  return {
    title,
    ...(heading === undefined ? {} : { heading }),
    url: passageUrl(passage),
    text,
    score: Math.round(score * 10_000) / 10_000,
  };
}
