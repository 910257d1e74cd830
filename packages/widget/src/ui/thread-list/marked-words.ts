/** A piece of a text, and whether it is one of the words that were searched for. */
export interface MarkedPiece {
  /** Where it begins in the text. */
  readonly at: number;
  readonly text: string;
  readonly isFound: boolean;
}

/** A word's letters and digits. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The most letters that an ending has: «погода» is found by «погоды», and «заказами» by «заказ». */
const ENDING_CHARS = 3;

/**
 * Divides a text at the words of a query. A backend finds words by their stems, and the last one by its beginning: a word
 * counts as found if it differs in its ending alone.
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

/** Whether a word is another form of the wanted one, or begins with it where that is `partial`. */
function isForm(word: string, wanted: string, partial: boolean): boolean {
  if (partial && word.startsWith(wanted)) return true;
  // Of a short word nothing is its ending.
  const stem = wanted.length - Math.min(ENDING_CHARS - 1, Math.floor(wanted.length / 3));
  return word.length <= wanted.length + ENDING_CHARS && word.startsWith(wanted.slice(0, stem));
}

function folded(word: string): string {
  return word.toLowerCase().replaceAll("ё", "е");
}
