/** The locales of the interface. Their words are in locales.ts, which the loader does not import. */
export type Locale = "ru" | "en";

/**
 * The first of these languages that the interface has, as it is given; Russian if it has none of them.
 *
 * @param languages BCP 47 tags, the most wanted first
 *
 * @example chooseLocale(["de", "en-GB"]) // "en-GB"
 */
export function chooseLocale(languages: readonly string[]): string {
  return languages.find((language) => /^(ru|en)(_|\b)/i.test(language)) ?? "ru";
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
