/**
 * The language of an answer: Russian if most of its letters are Cyrillic, otherwise unknown. Screen readers choose their voice
 * by it, and browsers their hyphenation.
 */
export function languageOf(text: string): "ru" | "" {
  const letters = text.match(/\p{L}/gu) ?? [];
  return 2 * letters.filter((letter) => /\p{Script=Cyrillic}/u.test(letter)).length > letters.length ? "ru" : "";
}

/** "en" for a text of the interface that has only Latin letters: some stay English in a Russian interface. */
export function englishOf(text: string): "en" | undefined {
  return /^[\0-\x7f]*$/.test(text) ? "en" : undefined;
}

/**
 * The interface's language as a BCP 47 tag. Frameworks write an underscore, as in `ru_RU`. An invalid tag becomes English,
 * because formatters throw at it.
 */
export function languageTag(given: string): string {
  try {
    return String(new Intl.Locale(given.replace("_", "-")));
  } catch {
    return "en";
  }
}

/**
 * A language with the region that the visitor prefers for it, if the tag names none. Dates and times differ between regions.
 *
 * @param preferred the browser's languages
 *
 * @example withRegion("en", ["ru-RU", "en-GB"]) // "en-GB"
 */
export function withRegion(tag: string, preferred: readonly string[]): string {
  return preferred.find((each) => each.startsWith(`${tag}-`)) ?? tag;
}

/** Whether a language is written from right to left. */
export function isRightToLeft(tag: string): boolean {
  return /^(?:ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/i.test(tag);
}
