import type { RawBuilder } from "kysely";

/** What is kept of a thread, as a statement gets it; `text` is that of `storedWords`. */
export const keptTypes = {
  thread_id: "text",
  updated_at: "text",
  position: "integer",
  searched_at: "text",
  head_id: "text",
  text: "text",
} as const;

/** A word to look up, or a beginning of words. */
export interface Lookup {
  readonly word: string;
  readonly isBeginning: boolean;
}

/** A database's own full-text search over `thread_words`, whose rows it finds by what `storedWords` makes. */
export interface WordIndex {
  /** Statements that make it, after the table. */
  readonly make: readonly RawBuilder<unknown>[];
  /** The statements that insert `rows` with their words. */
  readonly insert: (
    column: (name: keyof typeof keptTypes) => RawBuilder<unknown>,
    rows: RawBuilder<unknown>,
  ) => readonly RawBuilder<unknown>[];
  /** The text of a row of `thread_words`, as it was stored. */
  readonly text: RawBuilder<string | null>;
  /** Whether a row has one word of each group. */
  readonly has: (groups: readonly (readonly Lookup[])[]) => RawBuilder<boolean>;
}
