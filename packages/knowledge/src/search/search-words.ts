import type { FoundPassage, SearchIndex, WantedWord } from "../store/knowledge-store.ts";
import { termsOf } from "@nitka/server/words";
import { withoutNumber } from "../words/index-passages.ts";
import { soughtWords } from "./sought-words.ts";

/** How much a title adds that the question has all words of. */
const TITLE_SHARE = 0.3;

/** Passages that are read for each that is wanted: the title and others of the page may change their order. */
const KEPT_FOR_EACH = 3;

/** A word that stands on no page: how much of its weight a passage lacks. */
const UNKNOWN = 0.5;

/** The share of a question's weight that a passage must have, and the share of the best one's score. */
const LEAST_SHARE = 0.2;
const LEAST_OF_BEST = 0.35;

/** More passages of one page would hide other pages. */
const PER_PAGE = 2;

/**
 * The passages that answer a question by its words, the best first: none when even the best has too little of it. Both
 * databases give the same.
 */
export async function searchWords(
  index: SearchIndex,
  projectId: string,
  question: string,
  limit: number,
): Promise<readonly FoundPassage[]> {
  const { groups, unknown, size, counts } = await soughtWords(index, projectId, question);
  if (groups.length === 0) return [];
  const countOf = (word: string) => counts.get(word) ?? 0;
  const wanted = new Map<string, WantedWord>();
  let whole = unknown * UNKNOWN * idf(0, size);
  for (const [asked, { weight, words }] of groups.entries()) {
    // The words of a group are counted as one word, so that a rare one of a family weighs no more than the question's own.
    const count = [...words].reduce((sum, [word, share]) => sum + share * countOf(word), 0);
    const worth = weight * idf(Math.min(size, count), size);
    whole += worth;
    // What is asked for itself is no word of another's family.
    for (const [word, share] of words)
      if ((wanted.get(word)?.share ?? 0) < share) wanted.set(word, { word, count: countOf(word), asked, share, worth });
  }
  const best = await index.best(projectId, [...wanted.values()], limit * KEPT_FOR_EACH + 20, LEAST_SHARE * whole);
  const ranked = Array.from(best, (passage) => {
    const score = passage.score * (1 + TITLE_SHARE * titleShare(passage.title, wanted));
    return { ...passage, score };
  });
  ranked.sort((one, other) => other.score - one.score || (one.url < other.url ? -1 : 1) || one.id - other.id);
  return firstOfPages(ranked, limit);
}

function idf(count: number, size: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5));
}

/** The share of a title's words that the question has, without those that say little. */
function titleShare(title: string, known: ReadonlyMap<string, unknown>): number {
  const words = termsOf(withoutNumber(title)).filter(({ key, isStopWord }) => !isStopWord && !/^\d+$/.test(key));
  const keys = new Set(words.map(({ key }) => key));
  return keys.size === 0 ? 0 : [...keys].filter((key) => known.has(key)).length / keys.size;
}

function firstOfPages(ranked: readonly FoundPassage[], limit: number): readonly FoundPassage[] {
  const perPage = new Map<string, number>();
  const addresses = new Map<string, string>();
  const least = (ranked[0]?.score ?? 0) * LEAST_OF_BEST;
  return ranked
    .filter(({ url, title, headings, text, score }) => {
      const count = (perPage.get(url) ?? 0) + 1;
      perPage.set(url, count);
      // A page may have several addresses. Its passages would hide those of other pages.
      const content = JSON.stringify([title, headings, text]);
      addresses.set(content, addresses.get(content) ?? url);
      return addresses.get(content) === url && score >= least && count <= PER_PAGE;
    })
    .slice(0, limit);
}
