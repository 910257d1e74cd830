/** A passage as it is stored, before the search knows it. */
export interface StoredPassage {
  /** The headings above the text, the outermost first, without the page's title. */
  readonly headings: readonly string[];
  /** The `id` of the nearest element at or above the passage, unless it leads to an earlier one; `page=3` in a PDF. */
  readonly anchor?: string;
  /** At most 1,200 characters. */
  readonly text: string;
}

/** What a reading has found at one address. */
export interface PageContent {
  readonly title: string;
  /** As the page or its response says (BCP 47), where it does. */
  readonly language?: string;
  /** In the order of the page. */
  readonly passages: readonly StoredPassage[];
}

/** The validators that a server sent with a page, for conditional requests. */
export interface PageVersion {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** A page as the last readings have left it. */
export interface KnownPage extends PageVersion {
  /** After redirects inside the origin, without a fragment. */
  readonly url: string;
  /** The address under which the source names it, where it differs. */
  readonly listedAs?: string;
  /** The key of the source that has named it: see `sourceKeys`. */
  readonly source: string;
  /** A digest of its content: pages with an equal digest need no new passages. */
  readonly digest: string;
  readonly title: string;
  readonly passages: number;
  /** Milliseconds since 1970, when it was last read or found unchanged. */
  readonly readAt: number;
}

/** A page that a reading could not read. */
export interface PageFailure {
  readonly url: string;
  readonly source: string;
  /** For programs: `timeout`, `too_large`, `http`, `empty`, `blocked`, `unreachable`, `not_text`, … */
  readonly code: string;
  /** For people: what happened. */
  readonly reason: string;
}

/** How a reading went, over all sources. */
export interface ReadingResult {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly gone: number;
  readonly failed: readonly PageFailure[];
  /** Addresses that the site asks not to read, each with the reason. They are not part of any count. */
  readonly skipped: readonly { readonly url: string; readonly reason: string }[];
  /** Sources that could not be read at all. */
  readonly unread: readonly { readonly source: string; readonly reason: string }[];
  /** Pages that would have been removed, and stay: see `--prune`. */
  readonly heldBack: readonly { readonly source: string; readonly pages: number }[];
}

/** A word that a search looks for. */
export interface WantedWord {
  readonly word: string;
  /** How many passages have it. */
  readonly count: number;
  /** The position of the question's word that it stands for, how much it counts beside that word, and the weight of that word. */
  readonly asked: number;
  readonly share: number;
  readonly worth: number;
}

/** A passage that a search ranks. */
export interface ScoredPassage {
  readonly id: number;
  readonly score: number;
}

/** A passage with its page, as a search finds it. */
export interface FoundPassage extends StoredPassage, ScoredPassage {
  readonly url: string;
  readonly title: string;
}

/** How many passages have each word. */
export type WordCounts = ReadonlyMap<string, number>;

/** The words of all passages of a project. */
export interface SearchIndex {
  /** Counts and relatives of words, in one query. */
  vocabulary(
    projectId: string,
    words: readonly string[],
    beginnings?: readonly string[],
  ): Promise<{
    /** How many passages there are. */
    readonly size: number;
    /** Those of `words` that are in a passage. */
    readonly counts: WordCounts;
    /** The most frequent words that begin so, by the beginning. */
    readonly families: ReadonlyMap<string, WordCounts>;
  }>;
  /** The best passages, whose words are worth at least `least`, the best first: the same in each database. */
  best(projectId: string, words: readonly WantedWord[], limit: number, least: number): Promise<readonly FoundPassage[]>;
  /** For each list of grams (pieces of three letters) the words that share most of them, the most similar first. */
  similar(projectId: string, grams: readonly (readonly string[])[]): Promise<readonly WordCounts[]>;
  /** The passages with these ids that still exist, the best first. */
  passages(scored: readonly ScoredPassage[]): Promise<readonly FoundPassage[]>;
}

/** Where the pages and passages of all projects are kept. SQLite and Postgres implement it; both find the same. */
export interface KnowledgeStore {
  /** All pages of a project: read once before a reading begins. */
  knownPages(projectId: string): Promise<readonly KnownPage[]>;
  /** Replaces the page and all its passages in one transaction: a search sees the old page or the new one. */
  putPage(projectId: string, page: Omit<KnownPage, "passages" | "title">, content: PageContent): Promise<void>;
  /** Notes that pages are unchanged: their time, and their version where it is given. */
  touchPages(
    projectId: string,
    pages: readonly (PageVersion & { readonly url: string; readonly readAt: number })[],
  ): Promise<void>;
  /** Removes pages with their passages, in one transaction. */
  removePages(projectId: string, urls: readonly string[]): Promise<void>;
  /** The passages of a page, in its order; `undefined` for an unknown page. */
  page(projectId: string, url: string): Promise<(KnownPage & { readonly content: PageContent }) | undefined>;

  /**
   * Digests of the texts that stand word for word on most pages of the source, and are left out of each: kept so that a page
   * that is read alone gives the same passages. `undefined` before they were looked for.
   */
  boilerplate(projectId: string, source: string): Promise<readonly string[] | undefined>;
  putBoilerplate(projectId: string, source: string, digests: readonly string[]): Promise<void>;

  /**
   * Takes the project's reading for `holder`, for `leaseMs` from now on, unless another holder has it. Asked again by the
   * same holder it renews the lease. Returns whether `holder` has it.
   */
  leaseReading(projectId: string, holder: string, leaseMs: number): Promise<boolean>;
  /** Ends the lease of `holder`, and keeps the result for operators where there is one. */
  endReading(projectId: string, holder: string, result?: ReadingResult): Promise<void>;
  lastReading(projectId: string): Promise<ReadingResult | undefined>;

  /** Passages without a vector of this model, the oldest first, and vectors of them: see `embeddings`. */
  passagesToEmbed(
    projectId: string,
    model: string,
    limit: number,
  ): Promise<readonly { readonly id: number; readonly text: string }[]>;
  putVectors(
    projectId: string,
    model: string,
    vectors: readonly { readonly id: number; readonly vector: Float32Array }[],
  ): Promise<void>;

  /** A text that changes whenever the vectors of this model may have changed. */
  vectorsVersion(projectId: string, model: string): Promise<string>;
  /** The vectors of a project's passages by this model. */
  vectors(projectId: string, model: string): Promise<readonly { readonly id: number; readonly vector: Uint8Array }[]>;

  /** The words and passages that a search reads. */
  readonly index: SearchIndex;

  /** Removes everything of projects that are not among these. */
  keepProjects(projectIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
