/**
 * A growing list in groups of 32, never changed in place: adding an item replaces the last group alone, so that a view
 * with one memoised component for each group compares a few groups instead of all items.
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

/** The same list with another item in one place. */
export function withReplaced<T>(chunks: Chunks<T>, index: number, item: T): Chunks<T> {
  const group = Math.floor(index / size);
  return chunks.map((items, at) => (at === group ? items.with(index % size, item) : items));
}
