import { keysOf } from "@nitka/server/words";

/** Raise it when a passage gives other words or other weights: then pages that are stored are indexed anew. */
export const INDEX_VERSION = 3;

/** How much more a word counts in the page's title and in the headings above a passage than in its text. */
const TITLE = 5;
const HEADINGS = 2;

/** How much a long field takes from the weight of its words (BM25F, Robertson and Zaragoza 2009, section 3.6). */
const B = 0.3;

/** Usual lengths in words. They are constants, so that a page can be read again without a look at all others. */
const USUAL_TEXT = 110;
const USUAL_TITLE = 5;
const USUAL_HEADINGS = 4;

const NUMBER =
  /^(?:(?:глава|раздел|часть|приложение|chapter|section|part|appendix)\s+)?(?:\d+|\p{L})(?:\.\d+)*[.):]\s+/iu;

/** What of a page is searched. */
interface IndexedPage {
  readonly title: string;
  readonly passages: readonly { readonly headings: readonly string[]; readonly text: string }[];
}

/** The words of each passage of a page with their weighted frequencies, in the passages' order. */
export function indexPassages({ title, passages }: IndexedPage): readonly ReadonlyMap<string, number>[] {
  const titleWords = wordsOf([title]);
  return passages.map(({ headings, text }) => {
    const weights = new Map<string, number>();
    const add = ({ keys, length }: FieldWords, weight: number, usual: number) => {
      const divisor = 1 - B + (B * length) / usual;
      for (const key of keys) weights.set(key, (weights.get(key) ?? 0) + weight / divisor);
    };
    add(titleWords, TITLE, USUAL_TITLE);
    add(wordsOf(headings), HEADINGS, USUAL_HEADINGS);
    const keys = keysOf(text);
    add({ keys, length: keys.length }, 1, USUAL_TEXT);
    return new Map([...weights].map(([key, weight]) => [key, Math.round(weight * 1000) / 1000]));
  });
}

interface FieldWords {
  readonly keys: readonly string[];
  readonly length: number;
}

/** The words of titles. The number before one, such as «5.3.» or «Глава 4.», makes it no longer. */
function wordsOf(titles: readonly string[]): FieldWords {
  return { keys: keysOf(titles.join(" ")), length: keysOf(titles.map(withoutNumber).join(" ")).length };
}

export function withoutNumber(title: string): string {
  return title.replace(NUMBER, "");
}
