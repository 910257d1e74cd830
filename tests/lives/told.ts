/** What a visitor was told by the server: the verdict compares it with what is stored. */

export interface ToldQuestion {
  readonly id: string;
  readonly parentId: string | null;
  readonly content: string;
  /** A response of 200 came: the question must be in the history. */
  isAcknowledged: boolean;
  /** How many requests may have begun a run. */
  posts: number;
}

/** An answer as a page has read it, from its first event on. */
export interface ToldAnswer {
  readonly id: string;
  text: string;
  /** How its stream has ended; `undefined` while it is read, and where it broke off. */
  end: "finish" | "error" | "abort" | undefined;
}

export interface ToldThread {
  readonly id: string;
  /** `maybe`: the request had no answer. */
  archived: "no" | "maybe" | "yes";
  /** Every title that the visitor has sent. */
  readonly titles: Set<string>;
  /** The last one that was confirmed, as long as no later one may have arrived. */
  title: string | undefined;
  readonly questions: Map<string, ToldQuestion>;
  readonly answers: ToldAnswer[];
}

/** Everything that one visitor was told since they came, or since they were erased. */
export interface Told {
  readonly threads: Map<string, ToldThread>;
  /** The requests that make the threads' fate unknown: an erasure or a claim without an answer. */
  isUnsure: boolean;
}

export function newTold(): Told {
  return { threads: new Map(), isUnsure: false };
}
