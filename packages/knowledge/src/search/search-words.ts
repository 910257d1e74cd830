import type { FoundPassage, Postings, SearchIndex } from "../store/knowledge-store.ts";
import { distance, gramsOf } from "../words/likeness.ts";
import { keysOf, otherLayout, stem, termsOf } from "@nitka/server/words";

/** A passage that answers, with its score. */
export interface RankedPassage extends FoundPassage {
  readonly score: number;
}

/** How soon more of a word counts no more (BM25, k1). */
const SATURATION = 1;

/** A word that stands for one with a typing error counts a little less, one that says little much less. */
const TYPO = 0.8;
const STOP_WORD = 0.2;

/** A word of the same family (`copying` beside `copies`) counts for half. */
const FAMILY = 0.5;

/** The most words of a family, and the most letters that they have more. */
const FAMILY_WORDS = 12;
const FAMILY_LETTERS = 4;

/** How much a title adds that the question has all words of. */
const TITLE_SHARE = 0.3;

/** The passages that are looked at closely, and the most rows of words that choose them. */
const CANDIDATES = 200;
const MAX_ROWS = 6000;

/** A word that stands on no page: how much of its weight a passage lacks. */
const UNKNOWN = 0.5;

/** The share of a question's weight that a passage must have, and the share of the best one's score. */
const LEAST_SHARE = 0.2;
const LEAST_OF_BEST = 0.35;

/** More passages of one page would hide other pages. */
const PER_PAGE = 2;

/** A word to look for, and how much it counts. */
interface SoughtWord {
  readonly key: string;
  readonly weight: number;
}

interface SoughtWords {
  readonly groups: readonly (readonly SoughtWord[])[];
  /** How many words of the question no page has. */
  readonly unknown: number;
}

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
  const [size, { groups: sought, unknown }] = await Promise.all([
    index.size(projectId),
    soughtWords(index, projectId, question),
  ]);
  const counts = await index.counts(projectId, [...new Set(sought.flatMap((group) => group.map(({ key }) => key)))]);
  const idf = (key: string) => {
    const count = counts.get(key) ?? 0;
    return Math.log(1 + (size - count + 0.5) / (count + 0.5));
  };
  // Each group is one word of the question: of the words that may stand for it the best one counts.
  const whole = sought.reduce((sum, group) => sum + worthOf(group, idf), unknown * UNKNOWN * idf(""));
  const scores = await scoresOf(index, projectId, sought, counts, idf);
  const best = [...scores]
    .map(([id, { score, worth }]) => ({ id, score, share: worth / whole }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, limit * 3 + 20);
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

/** The words of a question, each with those that may stand for it, and how many nobody knows. */
async function soughtWords(index: SearchIndex, projectId: string, question: string): Promise<SoughtWords> {
  const found = await knownWords(index, projectId, question);
  if (found.groups.length > 0) return found;
  const swapped = await knownWords(index, projectId, otherLayout(question), false);
  return swapped.groups.length > 0 ? swapped : found;
}

async function knownWords(
  index: SearchIndex,
  projectId: string,
  question: string,
  withTypos = true,
): Promise<SoughtWords> {
  const all = termsOf(question);
  // A question of stop words alone is asked by them.
  const hasWords = all.some(({ isStopWord }) => !isStopWord);
  const terms = [...new Map(all.map((term) => [term.key, term])).values()];
  // A word that was written as two, such as «до ставка».
  const joined = terms.slice(1).map(({ word }, at) => stem(`${terms[at]?.word}${word}`));
  const counts = await index.counts(projectId, [...terms.map(({ key }) => key), ...joined]);
  const found = await Promise.all(
    terms.map(async ({ key, word, isStopWord, isName }, at): Promise<readonly SoughtWord[] | undefined> => {
      const isWeak = isStopWord && hasWords;
      if (counts.has(key)) return isWeak ? [{ key, weight: STOP_WORD }] : familyOf(index, projectId, key);
      if (isWeak || isName) return undefined;
      const whole = joined.slice(Math.max(0, at - 1), at + 1).find((each) => counts.has(each));
      if (whole !== undefined) return [{ key: whole, weight: TYPO }];
      return withTypos ? standIns(index, projectId, key, word) : [];
    }),
  );
  const asked = found.filter((group) => group !== undefined);
  const groups = asked.filter((group) => group.length > 0);
  return { groups, unknown: asked.length - groups.length };
}

/** A word with the known ones that begin as it does: a stem is not always as short as its family's beginning. */
async function familyOf(index: SearchIndex, projectId: string, key: string): Promise<readonly SoughtWord[]> {
  const own = { key, weight: 1 };
  if (key.length < 4 || /\P{L}/u.test(key)) return [own];
  const beginning = key.length >= 6 ? key.slice(0, -1) : key;
  const words = await index.beginning(projectId, beginning, FAMILY_WORDS);
  const others = words.filter((word) => word !== key && word.length <= key.length + FAMILY_LETTERS);
  return [own, ...others.map((word) => ({ key: word, weight: FAMILY }))];
}

/** The known words that an unknown one may have been meant to be: those with the fewest wrong letters. */
async function standIns(
  index: SearchIndex,
  projectId: string,
  key: string,
  word: string,
): Promise<readonly SoughtWord[]> {
  if (key.length < 3 || /^\d+$/.test(key)) return [];
  const most = key.length >= 8 ? 2 : 1;
  const similar = await index.similar(projectId, gramsOf(key), 60);
  const near = similar
    .map((known) => ({ key: known, errors: distance(key, known, most) }))
    .filter(({ errors }) => errors <= most);
  if (near.length === 0) return twoWords(index, projectId, word);
  const fewest = Math.min(...near.map(({ errors }) => errors));
  const counts = await index.counts(
    projectId,
    near.map(({ key: known }) => known),
  );
  return near
    .filter(({ errors }) => errors === fewest)
    .toSorted((one, other) => (counts.get(other.key) ?? 0) - (counts.get(one.key) ?? 0))
    .slice(0, 3)
    .map(({ key: known }) => ({ key: known, weight: TYPO }));
}

/** Two known words that were written as one, such as «какоплатить»: the parts that are known best. */
async function twoWords(index: SearchIndex, projectId: string, word: string): Promise<readonly SoughtWord[]> {
  const cuts = Array.from({ length: Math.max(0, word.length - 5) }, (_, at) => at + 3);
  const parts = cuts.map((at) => [stem(word.slice(0, at)), stem(word.slice(at))] as const);
  const counts = await index.counts(projectId, parts.flat());
  const worth = (keys: readonly string[]) => Math.min(...keys.map((key) => counts.get(key) ?? 0));
  const [best] = parts.filter((keys) => worth(keys) > 0).toSorted((one, other) => worth(other) - worth(one));
  return best ? best.map((key) => ({ key, weight: TYPO })) : [];
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
  const candidates = [...groups.keys()]
    .map((id) => ({ id, score: sumOf(id).score }))
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, CANDIDATES)
    .map(({ id }) => id);
  const frequent = byRarity.slice(rare.length);
  if (frequent.length > 0) take(await index.postings(projectId, frequent, { passages: candidates }));
  for (const id of candidates) scores.set(id, sumOf(id));
  return scores;
}

/** The share of a title's words that the question has. */
function titleShare(title: string, known: ReadonlySet<string>): number {
  const keys = new Set(keysOf(title));
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
