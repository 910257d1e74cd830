import type { RawBuilder } from "kysely";

/** The stored words of a thread, as columns of a statement; `text` is made by `storedWords`. */
export const keptTypes = {
  thread_id: "text",
  updated_at: "text",
  position: "integer",
  searched_at: "text",
  head_id: "text",
  text: "text",
} as const;

/** A word to look up, or the beginning of words. */
export interface Lookup {
  readonly word: string;
  readonly isBeginning: boolean;
}

/** The database's full-text search over `thread_words`. It finds rows by the text that `storedWords` makes. */
export interface WordIndex {
  /** The statements that create the index, after the table. */
  readonly make: readonly RawBuilder<unknown>[];
  /** The statements that insert `rows` with their words. */
  readonly insert: (
    column: (name: keyof typeof keptTypes) => RawBuilder<unknown>,
    rows: RawBuilder<unknown>,
  ) => readonly RawBuilder<unknown>[];
  /** The text of a row of `thread_words`, as it was stored. */
  readonly text: RawBuilder<string | null>;
  /** Whether a row contains at least one word of each group. */
  readonly has: (groups: readonly (readonly Lookup[])[]) => RawBuilder<boolean>;
}
