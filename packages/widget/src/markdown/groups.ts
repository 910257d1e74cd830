/**
 * An immutable list in groups of 32 items. Adding an item replaces only the last group, so a view with one memoised
 * component for each group compares a few groups instead of all items.
 *
 * @example withItem([[…32 items], ["a"]], "b") // [[the same 32], ["a", "b"]]
 */
export type Groups<T> = readonly (readonly T[])[];

const size = 32;

/** The number of items in all groups. */
export function countOf<T>(groups: Groups<T>): number {
  const last = groups.at(-1);
  return last ? (groups.length - 1) * size + last.length : 0;
}

/** The item at an index over all groups. */
export function itemAt<T>(groups: Groups<T>, index: number): T | undefined {
  return groups[Math.floor(index / size)]?.[index % size];
}

/** The list with one more item at its end. */
export function withItem<T>(groups: Groups<T>, item: T): Groups<T> {
  const last = groups.at(-1);
  if (!last || last.length === size) return [...groups, [item]];
  return [...groups.slice(0, -1), [...last, item]];
}

/** The list with more items at its end. */
export function withItems<T>(groups: Groups<T>, items: readonly T[]): Groups<T> {
  return items.reduce(withItem, groups);
}

/** The list with another item at `index`. */
export function withReplaced<T>(groups: Groups<T>, index: number, item: T): Groups<T> {
  const changed = Math.floor(index / size);
  return groups.map((items, group) => (group === changed ? items.with(index % size, item) : items));
}
