import { stemmer as englishStem } from "@orama/stemmers/english";
import { stemmer as russianStem } from "@orama/stemmers/russian";
import { rootOf } from "./roots.ts";
import { isStopWord } from "./stop-words.ts";
import { synonymGroups } from "./synonyms.ts";

export { rootOf };

/** A word of a text or a question. */
export interface Term {
  /**
   * The text to look up: the stem; for a name with signs or capitals inside (`--no-fonts`, `FileExists`) also the whole
   * name.
   */
  readonly key: string;
  /** The word in lower case, with «е» for «ё». */
  readonly word: string;
  readonly isStopWord: boolean;
  /** Whether it is the whole of a name, whose parts are terms too. */
  readonly isName: boolean;
}

/** A run of letters and digits, including signs inside names: `A.B.C`, `no-fonts`, `user@example.org`, `C++`. */
const RUN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[._:/@'’+#-]+[\p{L}\p{M}\p{N}]+)*(?:\+\+|#)?/gu;
const WORD = /[\p{L}\p{M}]+|\p{N}+/gu;

/** Endings that English attaches to a word: `what's`, `I've`, `don't`. */
const CONTRACTED = /['’](?:s|re|ve|ll|d|m)$/i;
const NEGATION = /^[a-z]+n['’]t$/i;

/** Longer runs are not words but keys, hashes or encoded data. */
const MAX_CHARS = 64;

/**
 * The terms of a text, in order. Words are split where letters meet digits; names are also split where a capital begins
 * another word.
 *
 * @example
 * keysOf("Вернуть товары: FileExists") // ["вернут", "товар", "fileexists", "file", "exist"]
 */
export function termsOf(text: string): readonly Term[] {
  const terms: Term[] = [];
  // The parts of a name are found separately. The whole name is rare, and so weighs more.
  const addName = (name: string) => terms.push({ key: name, word: name, isStopWord: false, isName: true });
  for (const whole of text.normalize("NFC").match(RUN) ?? []) {
    const run = NEGATION.test(whole) ? "not" : whole.replace(CONTRACTED, "");
    if (run.length > MAX_CHARS) continue;
    const pieces = run.match(WORD) ?? [];
    if (pieces.length > 1 || pieces[0] !== run) addName(plain(run));
    for (const piece of pieces) {
      const words = dividedByCapitals(piece);
      if (words.length > 1) addName(plain(piece));
      for (const word of words.map(plain))
        terms.push({ key: stem(word), word, isStopWord: isStopWord(word), isName: false });
    }
  }
  return terms;
}

export function keysOf(text: string): readonly string[] {
  return termsOf(text).map(({ key }) => key);
}

/**
 * The words of a text with their positions; names are split into their parts. The text must be in NFC.
 *
 * @example [...wordsIn("Вернуть FileExists")].map(({ written }) => written) // ["вернуть", "file", "exists"]
 */
export function* wordsIn(
  text: string,
): Generator<{ readonly at: number; readonly written: string; readonly stem: () => string }> {
  for (const run of text.matchAll(RUN)) {
    if (run[0].length > MAX_CHARS) continue;
    for (const piece of run[0].matchAll(WORD)) {
      let at = run.index + piece.index;
      for (const word of dividedByCapitals(piece[0])) {
        const written = plain(word);
        yield { at, written, stem: () => stem(written) };
        at += word.length;
      }
    }
  }
}

/** Splits `FileExists` into `File`, `Exists`, and `ABCReader` into `ABC`, `Reader`. */
function dividedByCapitals(word: string): readonly string[] {
  return word.split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll("ё", "е").replaceAll("’", "'");
}

/** The stem of a word. Its own letters determine the language: a third of a Russian site is English. */
export function stem(word: string): string {
  if (/^[а-я]+$/.test(word)) return word.length > 2 ? russianStem(word) : word;
  return /^[a-z]+$/.test(word) && word.length > 2 ? englishStem(word) : word;
}

/** The stems of words that visitors use interchangeably, by their roots. */
let synonyms: Map<string, ReadonlySet<string>> | undefined;

/** The stems of words that visitors also use for this one: see `synonyms.ts`. */
export function synonymsOf(key: string): ReadonlySet<string> {
  if (!synonyms) {
    synonyms = new Map();
    for (const stems of synonymGroups.map((group) => group.map(stem)))
      for (const root of stems.map(rootOf)) synonyms.set(root, new Set([...(synonyms.get(root) ?? []), ...stems]));
  }
  return synonyms.get(rootOf(key)) ?? new Set();
}

const latin = "`qwertyuiop[]asdfghjkl;'zxcvbnm,./";
const cyrillic = "ёйцукенгшщзхъфывапролджэячсмитьбю.";

/**
 * A text as it would be typed on the other keyboard layout, Russian or English.
 *
 * @example otherLayout("ghbdtn") // "привет"
 */
export function otherLayout(text: string): string {
  return Array.from(text.toLowerCase(), (char) => {
    const [from, to] = latin.includes(char) ? [latin, cyrillic] : [cyrillic, latin];
    return to[from.indexOf(char)] ?? char;
  }).join("");
}

const sounds = new Map(
  Array.from(
    "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    (char, at) =>
      [char, "a b v g d e j z i i k l m n o p r s t u f h c ch sh sch  y  e yu ya".split(" ")[at] ?? ""] as const,
  ),
);

/**
 * A text transliterated from Cyrillic to Latin by sound: visitors often write foreign names in Cyrillic.
 *
 * @example inLatin("тотал") // "total"
 */
export function inLatin(text: string): string {
  return Array.from(text, (char) => sounds.get(char) ?? char).join("");
}
