/**
 * An immutable list in groups of 32 items. Adding an item replaces only the last group, so a view with one memoised
 * component for each group compares a few groups instead of all items.
 *
 * @example withItem([[…32 items], ["a"]], "b") // [[the same 32], ["a", "b"]]
 */
export type Chunks<T> = readonly (readonly T[])[];

const size = 32;

export function countOf<T>(chunks: Chunks<T>): number {
  const last = chunks.at(-1);
  return last ? (chunks.length - 1) * size + last.length : 0;
}

export function itemAt<T>(chunks: Chunks<T>, index: number): T | undefined {
  return chunks[Math.floor(index / size)]?.[index % size];
}

export function withItem<T>(chunks: Chunks<T>, item: T): Chunks<T> {
  const last = chunks.at(-1);
  if (!last || last.length === size) return [...chunks, [item]];
  return [...chunks.slice(0, -1), [...last, item]];
}

export function withItems<T>(chunks: Chunks<T>, items: readonly T[]): Chunks<T> {
  return items.reduce(withItem, chunks);
}

/** The list with another item at `index`. */
export function withReplaced<T>(chunks: Chunks<T>, index: number, item: T): Chunks<T> {
  const group = Math.floor(index / size);
  return chunks.map((items, at) => (at === group ? items.with(index % size, item) : items));
}
