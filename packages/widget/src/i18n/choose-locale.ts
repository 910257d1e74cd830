/** The locales of the interface. Their words are in locales.ts, which the loader does not import. */
export const localeNames = ["ru", "en"] as const;

export type Locale = (typeof localeNames)[number];

/**
 * The first of these languages that the interface has; Russian if it has none of them.
 *
 * @param languages BCP 47 tags, the most wanted first
 *
 * @example chooseLocale(["de", "en-GB"]) // "en"
 */
export function chooseLocale(languages: readonly string[]): Locale {
  const wanted = languages.map((language) => language.toLowerCase().split("-")[0] as Locale);
  return wanted.find((language) => localeNames.includes(language)) ?? "ru";
}

/**
 * The locale whose words serve a language: texts of a language that the interface has not are English.
 *
 * @param tag BCP 47
 *
 * @example wordsLocaleOf("ru_RU") // "ru"
 */
export function wordsLocaleOf(tag: string): Locale {
  return /^ru(_|\b)/i.test(tag) ? "ru" : "en";
}

/** The languages for `locale: "auto"`: the page's own (`<html lang>`, empty where it names none), then those of the browser. */
export function pageLanguages(): readonly string[] {
  return [document.documentElement.lang, ...navigator.languages];
}
