import type { Locale } from "./locales.ts";

const LOCALES: Readonly<Record<Locale, true>> = { ru: true, en: true };

export const localeNames = Object.keys(LOCALES) as readonly Locale[];

/** The first of these languages that the interface has, most wanted first: `en-GB` is `en`. Russian where it has none. */
export function chooseLocale(languages: readonly string[]): Locale {
  const wanted = languages.map((language) => language.toLowerCase().split("-", 1)[0]);
  const found = wanted.find((language) => localeNames.some((name) => name === language));
  return (found as Locale | undefined) ?? "ru";
}

/** What `locale: "auto"` goes by: the page's own language, else those of the browser. */
export function pageLanguages(): readonly string[] {
  const { lang } = document.documentElement;
  return lang === "" ? navigator.languages : [lang, ...navigator.languages];
}
