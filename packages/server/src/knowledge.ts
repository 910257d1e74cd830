/** Text below one heading of one page, as the model and the visitor get it. */
export interface Passage {
  /** The page's title. */
  readonly title: string;
  /** The nearest heading above the text; absent when there is none below the title. */
  readonly heading?: string;
  /** The address that leads to the passage: the page's, with `#id` of the nearest element or a text fragment. */
  readonly url: string;
  /** At most 1,200 characters. */
  readonly text: string;
  /** How well it answers, for the order alone: scores of two searches do not compare. */
  readonly score: number;
}

export interface SearchOptions {
  /** The most passages. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** What an assistant can look up about its site. A host may bring its own; `@nitka/knowledge` has one. */
export interface Knowledge {
  /** The passages that answer best, the best one first. None when nothing is good enough. */
  search(query: string, options: SearchOptions): Promise<readonly Passage[]>;
}

/** The tool by which a model searches a project's knowledge. */
export const SEARCH_SITE = "search_site";

/** What a search gives to the model. */
export interface SiteSearch {
  /** Each with its number in the answer. */
  readonly passages: readonly (Omit<Passage, "score"> & { readonly n: number })[];
  /** What to do when there are none. */
  readonly note?: string;
}
