import { inLatin, otherLayout, rootOf, stem, synonymsOf, termsOf } from "@nitka/server/words";
import type { Term } from "@nitka/server/words";
import type { SearchIndex, WordCounts } from "../store/knowledge-store.ts";
import { gramsOf, misspelling } from "../words/likeness.ts";

/** A word that stands for one with a typing error counts a little less, one that says little much less. */
const TYPO = 0.8;
const STOP_WORD = 0.2;

/** How much of a word one of its family is (`copying` beside `copies`), and one of much the same meaning. */
const FAMILY = 0.6;
const SYNONYM = 0.2;

/** The most letters that a longer word of the family has more. */
const FAMILY_LETTERS = 4;
const SHORTEST_BEGINNING = 4;

/** The known words that may stand for an unknown one. */
const STAND_INS = 3;

/** What is looked for to find one word of the question. */
export interface SoughtGroup {
  /** How much the word counts. */
  readonly weight: number;
  /** Each with how much of the question's word it is: 1 for this itself. */
  readonly words: ReadonlyMap<string, number>;
}

/** The words of a question, each with those that may stand for it. */
interface SoughtWords {
  readonly groups: readonly SoughtGroup[];
  /** How many words of the question no page has. */
  readonly unknown: number;
  /** How many passages there are, and how many have each word. */
  readonly size: number;
  readonly counts: WordCounts;
}

/** A question's words, or those that it has on the other keyboard layout when no page has one of them. */
export async function soughtWords(index: SearchIndex, projectId: string, question: string): Promise<SoughtWords> {
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
  const isWeak = ({ isStopWord }: Term) => isStopWord && hasWords;
  // A word that was written as two, such as «до ставка».
  const joined = terms.slice(1).map(({ word }, at) => stem(`${terms[at]?.word}${word}`));
  const strong = terms.filter((term) => !isWeak(term)).map(({ key }) => key);
  const words = [...strong.flatMap((key) => [...synonymsOf(key)]), ...terms.map(({ key }) => key), ...joined];
  const beginnings = strong.flatMap((key) => beginningOf(key) ?? []);
  const { size, counts, families } = await index.vocabulary(projectId, words, beginnings);
  const groups: SoughtGroup[] = [];
  const unknown: Term[] = [];
  for (const [at, term] of terms.entries()) {
    const { key } = term;
    const whole = joined.slice(Math.max(0, at - 1), at + 1).find((each) => counts.has(each));
    const relatives = isWeak(term) ? new Map([[key, 1]]) : relativesOf(key, counts, families);
    if (counts.has(key)) groups.push({ weight: isWeak(term) ? STOP_WORD : 1, words: relatives });
    else if (isWeak(term) || term.isName) continue;
    else if (relatives.size > 0) groups.push({ weight: 1, words: relatives });
    else if (whole !== undefined) groups.push({ weight: TYPO, words: new Map([[whole, 1]]) });
    else unknown.push(term);
  }
  const standIns = withTypos && unknown.length > 0 ? await findStandIns(index, projectId, unknown) : undefined;
  const known = [counts, ...families.values(), standIns?.counts ?? new Map<string, number>()];
  return {
    groups: [...groups, ...(standIns?.groups ?? [])],
    unknown: unknown.length - (standIns?.groups.length ?? 0),
    size,
    counts: new Map(known.flatMap((each) => Array.from(each))),
  };
}

/** How the words of a family begin: the last letter of a root may turn into another. */
function beginningOf(key: string): string | undefined {
  if (key.length < SHORTEST_BEGINNING || /\P{L}/u.test(key)) return undefined;
  return key.slice(0, Math.max(SHORTEST_BEGINNING, rootOf(key).length - 1));
}

/** A word, if a page has it, with the known ones of its family and of its meaning. */
function relativesOf(
  key: string,
  counts: WordCounts,
  families: ReadonlyMap<string, WordCounts>,
): ReadonlyMap<string, number> {
  const isKnown = counts.has(key);
  const shares = new Map<string, number>();
  for (const word of synonymsOf(key)) if (counts.has(word)) shares.set(word, SYNONYM);
  // A stem is not always as short as that of another form. What is unknown may be no word, and then has no longer ones.
  const short = key.length >= 6 ? key.slice(0, -1) : key;
  for (const word of families.get(beginningOf(key) ?? "")?.keys() ?? []) {
    const isLonger = isKnown && word.startsWith(short) && word.length <= key.length + FAMILY_LETTERS;
    if (isLonger || rootOf(word) === rootOf(key)) shares.set(word, FAMILY);
  }
  if (isKnown) shares.set(key, 1);
  return shares;
}

/**
 * The known words that unknown ones may have been meant to be: those with the fewest wrong letters, also of a name that is
 * written in Cyrillic («тотал»), else the two words that were written as one («какоплатить»).
 */
async function findStandIns(index: SearchIndex, projectId: string, unknown: readonly Term[]) {
  const words = unknown
    .filter(({ key }) => key.length >= 3 && !/^\d+$/.test(key))
    .map(({ key, word }) => {
      const latin = inLatin(key);
      const spellings = [{ key, word }, ...(latin === key ? [] : [{ key: stem(latin), word: latin }])];
      return { spellings, swapped: withSwaps(word), cuts: cutsOf(word) };
    });
  const groups: SoughtGroup[] = [];
  const grams = words.flatMap(({ spellings }) => spellings.map(({ key }) => gramsOf(key)));
  const others = words.flatMap(({ swapped, cuts }) => [...swapped, ...cuts.flat()]);
  const [similar, { counts: known }] = await Promise.all([
    index.similar(projectId, grams),
    index.vocabulary(projectId, others),
  ]);
  const counts = new Map([known, ...similar].flatMap((each) => Array.from(each)));
  const count = (key: string) => counts.get(key) ?? 0;
  let at = 0;
  for (const { spellings, swapped, cuts } of words) {
    const errors = new Map(swapped.filter((each) => known.has(each)).map((each) => [each, 1]));
    for (const spelling of spellings) {
      const most = spelling.key.length >= 8 ? 2 : 1;
      for (const each of similar[at]?.keys() ?? []) {
        const wrong = misspelling(spelling, each, most, stem);
        if (wrong <= Math.min(most, errors.get(each) ?? most)) errors.set(each, wrong);
      }
      at += 1;
    }
    const fewest = Math.min(...errors.values());
    const nearest = [...errors.keys()]
      .filter((each) => errors.get(each) === fewest)
      .toSorted((one, other) => count(other) - count(one) || (one < other ? -1 : 1));
    const worth = (keys: readonly string[]) => Math.min(...keys.map(count));
    const [parts = []] = cuts.filter((keys) => worth(keys) > 0).toSorted((one, other) => worth(other) - worth(one));
    const chosen = nearest.length > 0 ? nearest.slice(0, STAND_INS) : parts;
    if (chosen.length > 0) groups.push({ weight: TYPO, words: new Map(chosen.map((each) => [each, 1])) });
  }
  return { groups, counts };
}

/** The stems of a word with each two neighbouring letters swapped: an ending that is typed wrong hides the stem. */
function withSwaps(word: string): readonly string[] {
  const chars = Array.from(word);
  return chars
    .slice(1)
    .map((char, at) => stem([...chars.slice(0, at), char, chars[at], ...chars.slice(at + 2)].join("")));
}

/** A word as two, at each place. */
function cutsOf(word: string): readonly (readonly string[])[] {
  const places = Array.from({ length: Math.max(0, word.length - 5) }, (_, at) => at + 3);
  return places.map((at) => [stem(word.slice(0, at)), stem(word.slice(at))]);
}
