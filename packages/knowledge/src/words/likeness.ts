/**
 * The pieces of three letters of a word with its borders: words that look alike share many.
 *
 * @example gramsOf("чай") // [" ча", "чай", "ай "]
 */
export function gramsOf(word: string): readonly string[] {
  const chars = Array.from(` ${word} `);
  return [...new Set(chars.slice(2).map((_, index) => chars.slice(index, index + 3).join("")))];
}

/**
 * How many letters have to be added, left out, changed or swapped with their neighbour to make one word of the other
 * (optimal string alignment).
 *
 * @returns `most + 1` when it is more than `most`
 */
function distance(one: string, other: string, most: number): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = b.map((_, index) => index).concat(b.length);
  for (const [i, char] of a.entries()) {
    const row = [i + 1];
    for (const [j, compared] of b.entries()) {
      const changed = (last[j] ?? 0) + (char === compared ? 0 : 1);
      let least = Math.min(changed, (last[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1);
      if (i > 0 && j > 0 && char === b[j - 1] && a[i - 1] === compared)
        least = Math.min(least, (before[j - 1] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return Math.min(last[b.length] ?? 0, most + 1);
}

/** The letters of a word behind its stem, and the fewest of a stem that its word is compared by. */
const LONGEST_ENDING = 5;
const SHORTEST_STEM = 5;

/**
 * How many letters of a word are wrong if a known stem was meant. The word's own stem may be none, since a wrong letter hides
 * the ending: `complation` has the stem `complat`, and was meant to be `compil` with the ending `ation`.
 *
 * @returns more than `most` when it is more than `most`
 */
export function misspelling(
  { key, word }: { readonly key: string; readonly word: string },
  known: string,
  most: number,
  stem: (word: string) => string,
): number {
  let least = distance(key, known, most);
  if (known.length < SHORTEST_STEM) return least;
  const first = Math.max(known.length - 1, word.length - LONGEST_ENDING);
  for (let end = first; end <= Math.min(word.length, known.length + 1); end += 1) {
    const errors = distance(word.slice(0, end), known, most);
    if (errors < least && stem(known + word.slice(end)) === known) least = errors;
  }
  return least;
}
