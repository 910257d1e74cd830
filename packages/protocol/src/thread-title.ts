/** The most characters of a title, in Unicode code points. */
export const MAX_TITLE_CHARS = 200;

/** The most UTF-16 code units of a title that the server sets, before the ellipsis: about the width of the list. */
const SHORT_TITLE_LENGTH = 60;

/**
 * A title for one line: control characters and line breaks become spaces, surrounding whitespace is removed, and text
 * beyond `MAX_TITLE_CHARS` is cut off.
 *
 * @returns `undefined` when nothing is left
 *
 * @example cleanTitle("  Погода\r\nв Москве ") // "Погода в Москве"
 */
export function cleanTitle(text: string): string | undefined {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  return Array.from(line).slice(0, MAX_TITLE_CHARS).join("") || undefined;
}

/**
 * A long title cut to 60 characters, with an ellipsis. It is cut after a word, unless a word is longer than half of
 * them.
 *
 * @example shortTitle("Очень подробный заголовок о том, как заваривать чай путешественнику") // "Очень подробный заголовок о том, как заваривать чай…"
 */
export function shortTitle(title: string): string {
  if (title.length <= SHORT_TITLE_LENGTH) return title;
  const head = title.slice(0, SHORT_TITLE_LENGTH);
  const space = head.lastIndexOf(" ");
  const words = space > SHORT_TITLE_LENGTH / 2 ? head.slice(0, space) : head;
  return `${words.replace(/[\s.,:;—-]+$/, "").toWellFormed()}…`;
}
