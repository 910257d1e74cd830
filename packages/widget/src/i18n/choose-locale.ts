/** The locales of the interface. Their words are in locales.ts, which the loader does not import. */
export type Locale = "ru" | "en";

/**
 * The first of these languages that the interface supports, as it was given; Russian if it supports none of them.
 *
 * @param languages BCP 47 tags, in order of preference
 *
 * @example chooseLocale(["de", "en-GB"]) // "en-GB"
 */
export function chooseLocale(languages: readonly string[]): string {
  return languages.find((language) => /^(ru|en)(_|\b)/i.test(language)) ?? "ru";
}

/**
 * The locale whose words are used for a language. A language that the interface does not support gets English words.
 *
 * @param tag BCP 47
 *
 * @example wordsLocaleOf("ru_RU") // "ru"
 */
export function wordsLocaleOf(tag: string): Locale {
  return /^ru(_|\b)/i.test(tag) ? "ru" : "en";
}

/** The languages for `locale: "auto"`: the page's own (`<html lang>`, empty if the page names none), then the browser's. */
export function pageLanguages(): readonly string[] {
  return [document.documentElement.lang, ...navigator.languages];
}
