import { createHash } from "node:crypto";
import type { Owner } from "../../stored.ts";
import type { ThreadWords } from "../../search.ts";

const PREFIX_CHARS = 8;

/**
 * The prefix of each word of an owner's threads. With it, a lookup of a frequent word reads only the rows of one
 * visitor. Two owners may share a prefix: it is no access control.
 */
export function prefixOf({ projectId, visitorId }: Owner): string {
  return createHash("sha256")
    .update(JSON.stringify([projectId, visitorId]))
    .digest("hex")
    .slice(0, PREFIX_CHARS);
}

/**
 * Words and their positions as one text. A word contains neither spaces nor `=`.
 *
 * @example storedWords("0a1b2c3d", new Map([["чай", 2]])) // " 0a1b2c3dчай=2 "
 */
export function storedWords(prefix: string, words: ThreadWords): string {
  return ` ${[...words].map(([word, position]) => `${prefix}${word}=${position}`).join(" ")} `;
}

export function readStoredWords(text: string): ThreadWords {
  return new Map(
    text
      .trim()
      .split(" ")
      .filter((entry) => entry !== "")
      .map((entry) => {
        const end = entry.lastIndexOf("=");
        return [entry.slice(PREFIX_CHARS, end), Number(entry.slice(end + 1))];
      }),
  );
}

/** The positions of the entries with this beginning. Other entries are not parsed. */
export function positionsOf(text: string, beginning: string): readonly number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(` ${beginning}`); at >= 0; at = text.indexOf(` ${beginning}`, at + 1)) {
    const end = text.indexOf(" ", at + 1);
    positions.push(Number(text.slice(text.lastIndexOf("=", end) + 1, end)));
  }
  return positions;
}
