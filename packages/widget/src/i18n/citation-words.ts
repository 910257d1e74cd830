import type { Locale } from "./choose-locale.ts";

/** The texts of citations. They load with the first text that cites a source, separately from the other words. */
const ru = {
  /** The accessible name of a link from a text to its source. */
  source: (n: number, title: string) => `Источник\u00a0${n}: ${title}`,
};

export type CitationWords = typeof ru;

export const citationWords: Readonly<Record<Locale, CitationWords>> = {
  ru,
  en: { source: (n, title) => `Source\u00a0${n}: ${title}` },
};
