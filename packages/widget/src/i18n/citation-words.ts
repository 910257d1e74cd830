import type { Locale } from "./choose-locale.ts";

/** The names of the texts of citations. */
export interface CitationWords {
  /** The accessible name of a link from a text to its source. */
  readonly source: (n: number, title: string) => string;
}

/** The texts load with the first text that cites a source, separately from the other words. */
export const citationWords: Readonly<Record<Locale, CitationWords>> = {
  ru: { source: (n, title) => `Источник\u00a0${n}: ${title}` },
  en: { source: (n, title) => `Source\u00a0${n}: ${title}` },
};
