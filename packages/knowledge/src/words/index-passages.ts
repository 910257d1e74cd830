import { keysOf } from "@nitka/server/words";

/** Raise it when a passage gives other words or other weights: then pages that are stored are indexed anew. */
export const INDEX_VERSION = 2;

/** How much more a word counts in the page's title and in the headings above a passage than in its text. */
const TITLE = 5;
const HEADINGS = 2;

/** How much a long field takes from the weight of its words (BM25F, Robertson and Zaragoza 2009, section 3.6). */
const B = 0.3;

/** Usual lengths in words. They are constants, so that a page can be read again without a look at all others. */
const USUAL_TEXT = 110;
const USUAL_TITLE = 5;
const USUAL_HEADINGS = 6;

/** A word of a passage with its weighted frequency. */
export interface Post {
  readonly key: string;
  readonly weight: number;
}

/** What of a page is searched. */
interface IndexedPage {
  readonly title: string;
  readonly passages: readonly { readonly headings: readonly string[]; readonly text: string }[];
}

/** The words of each passage of a page, in the passages' order. */
export function indexPassages({ title, passages }: IndexedPage): readonly (readonly Post[])[] {
  const titleKeys = keysOf(title);
  return passages.map(({ headings, text }) => {
    const weights = new Map<string, number>();
    const add = (keys: readonly string[], weight: number, usual: number) => {
      const length = 1 - B + (B * keys.length) / usual;
      for (const key of keys) weights.set(key, (weights.get(key) ?? 0) + weight / length);
    };
    add(titleKeys, TITLE, USUAL_TITLE);
    add(keysOf(headings.join(" ")), HEADINGS, USUAL_HEADINGS);
    add(keysOf(text), 1, USUAL_TEXT);
    return [...weights].map(([key, weight]) => ({ key, weight: Math.round(weight * 1000) / 1000 }));
  });
}
