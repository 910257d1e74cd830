/**
 * An immutable list in groups of 32 items. Adding an item replaces only the last group, so a view with one memoized component
 * per group compares a few groups instead of all items.
 *
 * @example withItems([[…32 items], ["a"]], ["b"]) // [[the same 32], ["a", "b"]]
 */
export type Groups<T> = readonly (readonly T[])[];

const size = 32;

/** The number of items in all groups. */
export function countOf<T>(groups: Groups<T>): number {
  const last = groups.at(-1);
  return last ? (groups.length - 1) * size + last.length : 0;
}

/** The item at an index, counted over all groups. */
export function itemAt<T>(groups: Groups<T>, index: number): T | undefined {
  return groups[Math.floor(index / size)]?.[index % size];
}

/** The list with items appended. The groups are copied once, however many items are added. */
export function withItems<T>(groups: Groups<T>, items: readonly T[]): Groups<T> {
  if (items.length === 0) return groups;
  const full = groups.filter((group) => group.length === size);
  const rest = [...groups.slice(full.length).flat(), ...items];
  for (let from = 0; from < rest.length; from += size) full.push(rest.slice(from, from + size));
  return full;
}

/** The list with the item at `index` replaced. */
export function withReplaced<T>(groups: Groups<T>, index: number, item: T): Groups<T> {
  const changed = Math.floor(index / size);
  return groups.map((items, group) => (group === changed ? items.with(index % size, item) : items));
}
