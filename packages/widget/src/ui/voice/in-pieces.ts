/** The maximum length of a piece. Chrome stops some voices after 15 s, and a slow voice reads this length in less. */
const MAX_CHARS = 180;

/** Splits a sentence into pieces short enough for one utterance each, if possible where a reader would breathe. */
export function inPieces(sentence: string): readonly string[] {
  const pieces: string[] = [];
  let rest = sentence.trim();
  while (rest.length > MAX_CHARS) {
    const start = rest.slice(0, MAX_CHARS);
    // The cut is after a punctuation mark, otherwise between words. A single word of this length is cut between characters.
    const cut = /^[^]*[,;:–—)](?=\s)/.exec(start) ?? /^[^]*\S(?=\s)/.exec(start) ?? /^[^]*[^\ud800-\udbff]/.exec(start);
    const piece = cut?.[0] ?? start;
    pieces.push(piece);
    rest = rest.slice(piece.length).trim();
  }
  return rest === "" ? pieces : [...pieces, rest];
}
