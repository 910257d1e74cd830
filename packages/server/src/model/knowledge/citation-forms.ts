/** What a text of an answer looks like around its citations. */

/** The most characters that are held back for one decision: a code span or a link that is longer is text. */
export const MAX_HELD = 1_000;

/** Where a paragraph ends: code and links do not go on behind it. */
const paragraphEnd = /\n[ \t]*(?:\n|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|>|```|~~~|[-=]{2}|\|)/;

/** The rest of the paragraph as far as it is known and counts. `isCut`: nothing that follows belongs to it. */
export function paragraphOf(buffer: string): { readonly text: string; readonly isCut: boolean } {
  const held = buffer.slice(0, MAX_HELD);
  const end = paragraphEnd.exec(held)?.index ?? -1;
  return { text: end === -1 ? held : held.slice(0, end), isCut: end !== -1 || buffer.length >= MAX_HELD };
}

const closers: Readonly<Record<string, string>> = { "[": "]", "【": "】", "［": "］", "(": ")" };

/** The index of the bracket that closes the one at `from`. */
export function closeOf(text: string, from: number): number | undefined {
  const open = text[from] ?? "";
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === open) depth += 1;
    else if (char === closers[open]) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** A longer number is a year, or another number of the text: the widget reads them alike. */
const group = String.raw`\s*\^?\d{1,3}(?:\s*[,，、;；]\s*\^?\d{1,3})*\s*`;
const citation = new RegExp(`^(?:\\[${group}\\]|\\[\\[${group}\\]\\]|【${group}(?:†[^】]*)?】|［${group}］)$`);

/** Citations to the end of a word, with what may close a sentence. */
export const citationsAtEnd = new RegExp(`^(?:\\[${group}\\])+[.,;:!?)*_"»]*$`);

/** The numbers of a citation in any of its forms, those that cannot be one as 0; `undefined` for other text in brackets. */
export function numbersIn(text: string): readonly number[] | undefined {
  if (!citation.test(text)) return undefined;
  const numbers = text.replace(/†.*/s, "").match(/\d+/g) ?? [];
  return numbers.map((digits) => (digits.startsWith("0") ? 0 : Number(digits)));
}
