const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The language that a script is most used for: other languages of the same script are read with its voice. */
const languages: readonly (readonly [script: RegExp, language: string])[] = [
  [/\p{Script=Cyrillic}/u, "ru-RU"],
  [/\p{Script=Hebrew}/u, "he-IL"],
  [/\p{Script=Arabic}/u, "ar-SA"],
  [/\p{Script=Greek}/u, "el-GR"],
  [/\p{Script=Hangul}/u, "ko-KR"],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, "zh-CN"],
];

/** Where the browser names no region: engines want one. */
const regions: Readonly<Record<string, string>> = { ru: "ru-RU", en: "en-US" };

/**
 * The language in which a text is read aloud: of the script of most of its letters.
 *
 * @param locale of the interface: the language of Latin letters, unless it is written in others
 * @param preferred the languages of the visitor's browser
 */
export function readingLanguage(text: string, locale: string, preferred: readonly string[]): string {
  const letters = text.match(/\p{L}/gu) ?? [];
  const [, language] =
    languages.find(([script]) => 2 * letters.filter((letter) => script.test(letter)).length > letters.length) ?? [];
  if (language === "zh-CN" && KANA.test(text)) return "ja-JP";
  return language ?? dictationLanguage(locale === "ru" ? "en" : locale, preferred);
}

/** The language in which the visitor dictates: that of the interface, of the region that their browser names with it. */
export function dictationLanguage(locale: string, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.toLowerCase().startsWith(`${locale}-`)) ?? regions[locale] ?? locale;
}
