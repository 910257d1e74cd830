/** The text below one heading of a page, as the model and the visitor get it. */
export interface Passage {
  /** The page's title. */
  readonly title: string;
  /** The nearest heading above the text; absent when only the title is above it. */
  readonly heading?: string;
  /** The address of the passage: the page's address with the `#id` of the nearest element, or with a text fragment. */
  readonly url: string;
  /** At most 1,200 characters. */
  readonly text: string;
  /** The rank of the passage within this search. Scores of different searches are not comparable. */
  readonly score: number;
}

export interface SearchOptions {
  /** The most passages to return. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** The interface to a search of a site's pages. `@nitka/knowledge` implements it; a host may bring its own. */
export interface Knowledge {
  /** Returns the best passages, best first; none when no passage is good enough. */
  search(query: string, options: SearchOptions): Promise<readonly Passage[]>;
}

/** The name of the tool with which a model searches a project's knowledge. */
export const SEARCH_SITE = "search_site";

/** The result of a search, as the model gets it. */
export interface SiteSearch {
  /** `n` is the number by which the answer cites the passage. */
  readonly passages: readonly (Omit<Passage, "score"> & { readonly n: number })[];
  /** What the model should do when there are no passages. */
  readonly note?: string;
}
