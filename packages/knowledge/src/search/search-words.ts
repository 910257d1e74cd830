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
  // The words of a group are counted as one word, so that a rare one of a family weighs no more than the question's own.
  const groups = sought.map(({ weight, words }) => {
    const count = words.reduce((sum, { key, share }) => sum + share * (counts.get(key) ?? 0), 0);
    return { words, worth: weight * idf(Math.min(size, count), size) };
  });
  const whole = groups.reduce((sum, { worth }) => sum + worth, unknown * UNKNOWN * idf(0, size));
  const kept = limit * KEPT_FOR_EACH + 20;
  const scores = await scoresOf(index, projectId, groups, counts, kept);
  const best = [...scores]
    .map(([id, { score, worth }]) => ({ id, score, share: worth / whole }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, kept);
  const passages = new Map((await index.passages(best.map(({ id }) => id))).map((passage) => [passage.id, passage]));
  const known = new Set(sought.flatMap(({ words }) => words.map(({ key }) => key)));
  const ranked = best
    .flatMap(({ id, score }) => {
      const passage = passages.get(id);
      return passage ? [{ ...passage, score: score * (1 + TITLE_SHARE * titleShare(passage.title, known)) }] : [];
    })
    .toSorted((one, other) => other.score - one.score || (one.url < other.url ? -1 : 1) || one.id - other.id);
  return firstOfPages(ranked, limit);
}

function idf(count: number, size: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5));
}

interface Score {
  readonly score: number;
  /** What the question's words that a passage has are worth. */
  readonly worth: number;
}

/** Rare words choose the candidates; frequent ones are looked up for those alone. */
async function scoresOf(
  index: SearchIndex,
  projectId: string,
  sought: readonly { readonly words: readonly SoughtWord[]; readonly worth: number }[],
  counts: ReadonlyMap<string, number>,
  kept: number,
): Promise<ReadonlyMap<number, Score>> {
  const words = new Map<string, { readonly group: number; readonly share: number }>();
  for (const [group, each] of sought.entries()) {
    // What is asked for itself is no word of another's family.
    for (const { key, share } of each.words) if ((words.get(key)?.share ?? 0) < share) words.set(key, { group, share });
  }
  const byRarity = [...words.keys()].toSorted((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0));
  const rare: string[] = [];
  let rows = 0;
  for (const key of byRarity) {
    rows += counts.get(key) ?? 0;
    if (rare.length > 0 && rows > MAX_ROWS) break;
    rare.push(key);
  }
  /** How much of each group each passage has. */
  const found = new Map<number, Map<number, number>>();
  const take = (postings: readonly Postings[]) => {
    for (const { word, passages, weights } of postings) {
      const { group = 0, share = 0 } = words.get(word) ?? {};
      for (const [at, passage] of passages.entries()) {
        const ofPassage = found.get(passage) ?? new Map<number, number>();
        found.set(passage, ofPassage.set(group, (ofPassage.get(group) ?? 0) + share * (weights[at] ?? 0)));
      }
    }
  };
  const scoreOf = (passage: number): Score => {
    let [score, worth] = [0, 0];
    for (const [group, weight] of found.get(passage) ?? []) {
      const ofGroup = sought[group]?.worth ?? 0;
      score += (ofGroup * weight * (SATURATION + 1)) / (weight + SATURATION);
      worth += ofGroup * Math.min(1, weight);
    }
    return { score, worth };
  };
  const isOne = (counts.get(rare[0] ?? "") ?? 0) > MAX_ROWS;
  take(await index.postings(projectId, rare, isOne ? { heaviest: MAX_ROWS } : undefined));
  const ranked = [...found.keys()]
    .map((id) => ({ id, score: scoreOf(id).score }))
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, CANDIDATES);
  const frequent = byRarity.slice(rare.length);
  // What frequent words cannot lift among the best is not looked up.
  const lifting = new Set(frequent.map((key) => words.get(key)?.group));
  const most = sought.reduce((sum, { worth }, group) => sum + (lifting.has(group) ? worth * (SATURATION + 1) : 0), 0);
  const least = (ranked[kept - 1]?.score ?? 0) - most;
  const candidates = ranked.filter(({ score }) => score >= least).map(({ id }) => id);
  if (frequent.length > 0) take(await index.postings(projectId, frequent, { passages: candidates }));
  return new Map(candidates.map((id) => [id, scoreOf(id)]));
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
