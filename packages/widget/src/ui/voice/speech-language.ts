const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * The language that is used most in a script, and the codes of the script (ISO 15924). Other languages of the same script are
 * read with its voice, unless the interface is in one of them.
 */
const languages: readonly (readonly [script: RegExp, language: string, codes: string])[] = [
  [/\p{Script=Cyrillic}/u, "ru-RU", "Cyrl"],
  [/\p{Script=Hebrew}/u, "he-IL", "Hebr"],
  [/\p{Script=Arabic}/u, "ar-SA", "Arab"],
  [/\p{Script=Greek}/u, "el-GR", "Grek"],
  [/\p{Script=Hangul}/u, "ko-KR", "Kore"],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, "zh-CN", "Hans Hant"],
  [/\p{Script=Latin}/u, "en", "Latn"],
];

/** The region if the browser names none, because engines require one. */
const regions: Readonly<Record<string, string>> = { ru: "ru-RU", en: "en-US" };

/**
 * The language in which a text is read aloud: that of the script of most of its letters.
 *
 * @param locale the interface's locale, a BCP 47 tag; the text is in its language if that uses the same script
 * @param preferred the languages of the visitor's browser
 */
export function readingLanguage(text: string, locale: string, preferred: readonly string[]): string {
  const letters = text.match(/\p{L}/gu) ?? [];
  const isMost = (script: RegExp) => 2 * letters.filter((letter) => script.test(letter)).length > letters.length;
  const [, language = "en", codes = "Latn"] = languages.find(([script]) => isMost(script)) ?? [];
  const { script = "none" } = new Intl.Locale(locale).maximize();
  if (language === "zh-CN" && KANA.test(text)) return "ja-JP";
  return dictationLanguage(codes.includes(script) ? locale : language, preferred);
}

/**
 * The language in which the visitor dictates: that of the interface, with the browser's region for it if the host names none.
 * No engine supports more than one region of Russian.
 *
 * @example dictationLanguage("de", ["en-US", "de-CH"]) // "de-CH"
 */
export function dictationLanguage(locale: string, preferred: readonly string[]): string {
  const [language = "", ...subtags] = locale.toLowerCase().split("-");
  if (language !== "ru" && subtags.some((subtag) => /^(?:[a-z]{2}|\d{3})$/.test(subtag))) return locale;
  return preferred.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? regions[language] ?? locale;
}
