import type { FoundPassage, Postings, SearchIndex } from "../store/knowledge-store.ts";
import { termsOf } from "@nitka/server/words";
import { withoutNumber } from "../words/index-passages.ts";
import { soughtWords } from "./sought-words.ts";
import type { SoughtWord } from "./sought-words.ts";

/** A passage that answers, with its score. */
export interface RankedPassage extends FoundPassage {
  readonly score: number;
}

/** How soon more of a word counts no more (BM25, k1). */
const SATURATION = 1;

/** How much a title adds that the question has all words of. */
const TITLE_SHARE = 0.3;

/** The passages that are looked at closely, and the most rows of words that choose them. */
const CANDIDATES = 200;
const MAX_ROWS = 6000;

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
): Promise<readonly RankedPassage[]> {
  const { groups: sought, unknown, size, counts } = await soughtWords(index, projectId, question);
  const idf = (key: string) => {
    const count = counts.get(key) ?? 0;
    return Math.log(1 + (size - count + 0.5) / (count + 0.5));
  };
  // Each group is one word of the question: of the words that may stand for it the best one counts.
  const whole = sought.reduce((sum, group) => sum + worthOf(group, idf), unknown * UNKNOWN * idf(""));
  const kept = limit * KEPT_FOR_EACH + 20;
  const scores = await scoresOf(index, projectId, sought, counts, idf, kept);
  const best = [...scores]
    .map(([id, { score, worth }]) => ({ id, score, share: worth / whole }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, kept);
  const passages = new Map((await index.passages(best.map(({ id }) => id))).map((passage) => [passage.id, passage]));
  const known = new Set(sought.flatMap((group) => group.map(({ key }) => key)));
  const ranked = best
    .flatMap(({ id, score }) => {
      const passage = passages.get(id);
      return passage ? [{ ...passage, score: score * (1 + TITLE_SHARE * titleShare(passage.title, known)) }] : [];
    })
    .toSorted((one, other) => other.score - one.score || (one.url < other.url ? -1 : 1) || one.id - other.id);
  return firstOfPages(ranked, limit);
}

function worthOf(group: readonly SoughtWord[], idf: (key: string) => number): number {
  return Math.max(...group.map(({ key, weight }) => weight * idf(key)));
}

/** Rare words choose the candidates; frequent ones are looked up for those alone. */
async function scoresOf(
  index: SearchIndex,
  projectId: string,
  sought: readonly (readonly SoughtWord[])[],
  counts: ReadonlyMap<string, number>,
  idf: (key: string) => number,
  kept: number,
) {
  const scores = new Map<number, { score: number; worth: number }>();
  const words = new Map<string, { readonly group: number; readonly weight: number }>();
  for (const [group, each] of sought.entries()) {
    // What is asked for itself is no word of another's family.
    for (const { key, weight } of each) if ((words.get(key)?.weight ?? 0) < weight) words.set(key, { group, weight });
  }
  const byRarity = [...words.keys()].toSorted((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0));
  const rare: string[] = [];
  let rows = 0;
  for (const key of byRarity) {
    rows += counts.get(key) ?? 0;
    if (rare.length > 0 && rows > MAX_ROWS) break;
    rare.push(key);
  }
  /** The best score of each group in each passage. */
  const groups = new Map<number, Map<number, { score: number; worth: number }>>();
  const take = (postings: readonly Postings[]) => {
    for (const { word, passages, weights } of postings) {
      const { group, weight: ownWeight } = words.get(word) ?? { group: 0, weight: 0 };
      const worth = ownWeight * idf(word);
      for (const [at, passage] of passages.entries()) {
        const weight = weights[at] ?? 0;
        const score = (worth * weight * (SATURATION + 1)) / (weight + SATURATION);
        const ofPassage = groups.get(passage) ?? new Map<number, { score: number; worth: number }>();
        groups.set(passage, ofPassage);
        const before = ofPassage.get(group);
        if (!before || before.score < score) ofPassage.set(group, { score, worth });
      }
    }
  };
  const sumOf = (passage: number) => {
    const sum = { score: 0, worth: 0 };
    for (const { score, worth } of groups.get(passage)?.values() ?? []) {
      sum.score += score;
      sum.worth += worth;
    }
    return sum;
  };
  const isOne = (counts.get(rare[0] ?? "") ?? 0) > MAX_ROWS;
  take(await index.postings(projectId, rare, isOne ? { heaviest: MAX_ROWS } : undefined));
  const ranked = [...groups.keys()]
    .map((id) => ({ id, score: sumOf(id).score }))
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, CANDIDATES);
  const frequent = byRarity.slice(rare.length);
  // What frequent words cannot lift among the best is not looked up.
  const mostOfGroups = new Map<number, number>();
  for (const key of frequent) {
    const { group = 0, weight = 0 } = words.get(key) ?? {};
    mostOfGroups.set(group, Math.max(mostOfGroups.get(group) ?? 0, weight * idf(key) * (SATURATION + 1)));
  }
  const least = (ranked[kept - 1]?.score ?? 0) - [...mostOfGroups.values()].reduce((sum, each) => sum + each, 0);
  const candidates = ranked.filter(({ score }) => score >= least).map(({ id }) => id);
  if (frequent.length > 0) take(await index.postings(projectId, frequent, { passages: candidates }));
  for (const id of candidates) scores.set(id, sumOf(id));
  return scores;
}

/** The share of a title's words that the question has, without those that say little. */
function titleShare(title: string, known: ReadonlySet<string>): number {
  const words = termsOf(withoutNumber(title)).filter(({ key, isStopWord }) => !isStopWord && !/^\d+$/.test(key));
  const keys = new Set(words.map(({ key }) => key));
  return keys.size === 0 ? 0 : [...keys].filter((key) => known.has(key)).length / keys.size;
}

function firstOfPages(ranked: readonly RankedPassage[], limit: number): readonly RankedPassage[] {
  const perPage = new Map<string, number>();
  const least = (ranked[0]?.score ?? 0) * LEAST_OF_BEST;
  return ranked
    .filter(({ url, score }) => {
      const count = (perPage.get(url) ?? 0) + 1;
      perPage.set(url, count);
      return score >= least && count <= PER_PAGE;
    })
    .slice(0, limit);
}
