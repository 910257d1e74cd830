import type { Locale } from "./choose-locale.ts";

/** The names of links from a text to its sources. They load with the first such text, apart from the other words. */
export const citationWords: Readonly<Record<Locale, (n: number, title: string) => string>> = {
  ru: (n, title) => `Источник\u00a0${n}: ${title}`,
  en: (n, title) => `Source\u00a0${n}: ${title}`,
};
