/** The syntax of an answer's text around its citations. */

/** The most characters that are held back for one decision. A longer code span or link is treated as text. */
export const MAX_HELD = 1_000;

/** The end of a paragraph: code spans and links do not continue after it. */
const paragraphEnd = /\n[ \t]*(?:\n|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|>|```|~~~|[-=]{2}|\|)/;

/** The rest of the paragraph, as far as it is known and within the limit. `isCut`: no later text belongs to it. */
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

/** A longer number is a year or another number of the text. The widget uses the same rule. */
const group = String.raw`\s*\^?\d{1,3}(?:\s*[,，、;；]\s*\^?\d{1,3})*\s*`;
const citation = new RegExp(`^(?:\\[${group}\\]|\\[\\[${group}\\]\\]|【${group}(?:†[^】]*)?】|［${group}］)$`);

/** Citations up to the end of a word, including punctuation that may end a sentence. */
export const citationsAtEnd = new RegExp(`^(?:\\[${group}\\])+[.,;:!?)*_"»]*$`);

/**
 * The numbers of a citation in any of its forms, with 0 for an invalid number; `undefined` for other text in brackets.
 */
export function numbersIn(text: string): readonly number[] | undefined {
  if (!citation.test(text)) return undefined;
  const numbers = text.replace(/†.*/s, "").match(/\d+/g) ?? [];
  return numbers.map((digits) => (digits.startsWith("0") ? 0 : Number(digits)));
}
