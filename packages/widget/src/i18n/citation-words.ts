import type { Locale } from "./choose-locale.ts";

/** The names of the texts of citations. */
export interface CitationWords {
  /** The name of a link from a text to its source. */
  readonly source: (n: number, title: string) => string;
}

/** They load with the first text that names a source, apart from the other words. */
export const citationWords: Readonly<Record<Locale, CitationWords>> = {
  ru: { source: (n, title) => `Источник\u00a0${n}: ${title}` },
  en: { source: (n, title) => `Source\u00a0${n}: ${title}` },
};
