import type { Locale } from "./locales.ts";

/** Those of locales.ts, whose words the entry must not bring along. */
export const localeNames: readonly Locale[] = ["ru", "en"];

/** The first of these languages that the interface has, most wanted first: `en-GB` is `en`. Russian where it has none. */
export function chooseLocale(languages: readonly string[]): Locale {
  const wanted = languages.map((language) => language.toLowerCase().split("-", 1)[0] as Locale);
  return wanted.find((language) => localeNames.includes(language)) ?? "ru";
}

/** What `locale: "auto"` goes by: the page's own language, else those of the browser. */
export function pageLanguages(): readonly string[] {
  const { lang } = document.documentElement;
  return lang === "" ? navigator.languages : [lang, ...navigator.languages];
}
