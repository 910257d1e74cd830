import { MAX_MATCH_CHARS } from "@nitka/protocol/found-thread";
import type { SoughtWord } from "../../storage/search.ts";
import { wordsIn } from "../../words/terms.ts";

/** The most characters of text before the first word. */
const BEFORE = 40;

/** The most characters of a piece without its two ellipses. */
const ROOM = MAX_MATCH_CHARS - 2;

/**
 * The piece of a markdown text that contains the most of the words, as plain text.
 *
 * @returns `undefined` when the text contains none of them
 *
 * @example matchIn("Чай: как его заваривать?", soughtWords("заваривал")) // "Чай: как его заваривать?"
 */
export function matchIn(markdown: string, words: readonly SoughtWord[]): string | undefined {
  // A word may occur only in an address, which the plain text does not contain.
  return matchInPlain(plainText(markdown), words) ?? matchInPlain(markdown, words);
}

/** Removes the markdown characters that would hide the words. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\]\([^()\s]*\)/g, "]")
    .replaceAll(/!?\[([^\][]*)\]/g, "$1")
    .replaceAll(/^[ \t]*(?:[#>]+|[-*+])[ \t]+|[*`|]+/gm, "");
}

function matchInPlain(given: string, words: readonly SoughtWord[]): string | undefined {
  const text = given.normalize("NFC").replaceAll(/\s+/g, " ").trim();
  const beginnings = words.flatMap(({ beginnings: [beginning] }) => beginning ?? []);
  const stems = new Set(words.map(({ word }) => word));
  const firsts = new Set([...stems].map((stem) => stem.slice(0, 1)));
  const hits: { readonly at: number; readonly end: number; readonly key: string }[] = [];
  for (const { at, written, stem } of wordsIn(text)) {
    // A stem begins with the same letter as its word. Computing stems is most of the work, so other words are skipped.
    if (!firsts.has(written.slice(0, 1))) continue;
    const key = stem();
    const begun = beginnings.find((beginning) => written.startsWith(beginning));
    if (stems.has(key) || begun !== undefined)
      hits.push({ at, end: at + written.length, key: stems.has(key) ? key : "" });
  }
  let best: { readonly at: number; readonly count: number } | undefined;
  for (const [index, { at }] of hits.entries()) {
    const within = hits.slice(index, index + 40).filter(({ end }) => end <= at + ROOM - BEFORE);
    const count = new Set(within.map(({ key }) => key)).size;
    if (!best || count > best.count) best = { at, count };
  }
  return best && pieceAt(text, best.at);
}

function pieceAt(text: string, at: number): string {
  if (text.length <= MAX_MATCH_CHARS) return text;
  const from = Math.max(0, Math.min(at - BEFORE, text.length - ROOM));
  // The piece begins and ends at word boundaries, unless a word is longer than the room before it.
  const space = from === 0 ? -1 : text.slice(from, at).indexOf(" ");
  const start = space < 0 ? from : from + space + 1;
  const whole = text.slice(start, start + ROOM);
  const isEnd = start + ROOM >= text.length;
  const end = isEnd ? -1 : whole.lastIndexOf(" ");
  const piece = end > at - start ? whole.slice(0, end) : whole;
  return `${start > 0 ? "…" : ""}${piece}${isEnd ? "" : "…"}`.toWellFormed();
}
