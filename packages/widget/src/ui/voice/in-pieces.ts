/** Chrome stops some voices after 15 s: a piece of this length takes less, read slowly. */
const MAX_CHARS = 180;

/** A sentence in pieces short enough to be one utterance each, cut where one would breathe if possible. */
export function inPieces(sentence: string): readonly string[] {
  const pieces: string[] = [];
  let rest = sentence.trim();
  while (rest.length > MAX_CHARS) {
    const start = rest.slice(0, MAX_CHARS);
    // Behind a mark, else between words; a word as long as this is cut, between characters.
    const cut = /^[^]*[,;:–—)](?=\s)/.exec(start) ?? /^[^]*\S(?=\s)/.exec(start) ?? /^[^]*[^\ud800-\udbff]/.exec(start);
    const piece = cut?.[0] ?? start;
    pieces.push(piece);
    rest = rest.slice(piece.length).trim();
  }
  return rest === "" ? pieces : [...pieces, rest];
}
