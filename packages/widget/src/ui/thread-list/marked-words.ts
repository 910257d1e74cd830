/** A piece of a text, and whether it matches a word of the query. */
export interface MarkedPiece {
  /** The index of its beginning in the text. */
  readonly at: number;
  readonly text: string;
  readonly isFound: boolean;
}

/** A word's letters and digits. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The maximum length of an ending: «погода» is found by «погоды», and «заказами» by «заказ». */
const ENDING_CHARS = 3;

/**
 * Splits a text at the words of a query. A backend finds words by their stems, and the last one as a prefix. Here a word
 * matches if it differs only in its ending.
 *
 * @example
 * markedWords("Прогноз погоды", "погода")
 *   // [{ at: 0, text: "Прогноз ", isFound: false }, { at: 8, text: "погоды", isFound: true }]
 */
export function markedWords(text: string, query: string): readonly MarkedPiece[] {
  const wanted = [...query.matchAll(WORD)].map(([word]) => folded(word));
  const pieces: MarkedPiece[] = [];
  let end = 0;
  const add = (to: number, isFound: boolean) => {
    if (to > end) pieces.push({ at: end, text: text.slice(end, to), isFound });
    end = to;
  };
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!wanted.some((one, place) => isForm(folded(word), one, place === wanted.length - 1))) continue;
    add(index, false);
    add(index + word.length, true);
  }
  add(text.length, false);
  return pieces;
}

/** Whether a word is another form of the wanted one, or, if `partial`, begins with it. */
function isForm(word: string, wanted: string, partial: boolean): boolean {
  if (partial && word.startsWith(wanted)) return true;
  // A short word has no ending.
  const stem = wanted.length - Math.min(ENDING_CHARS - 1, Math.floor(wanted.length / 3));
  return word.length <= wanted.length + ENDING_CHARS && word.startsWith(wanted.slice(0, stem));
}

function folded(word: string): string {
  return word.toLowerCase().replaceAll("ё", "е");
}
