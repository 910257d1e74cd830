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
export function distance(one: string, other: string, most: number): number {
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
