/** Counts bytes by address and UTC day, in the memory of this process alone. */
export interface DayBytes {
  /** Counts bytes for every key. Returns false, and counts nothing, when they are too many for one of the keys. */
  add(allowances: readonly DayAllowance[], bytes: number): boolean;
}

export interface DayAllowance {
  readonly key: string;
  readonly perDay: number;
}

/** Size of a generation. At least the last 25,000 addresses are remembered, at most 50,000. */
const MAX_KEYS = 25_000;

export function createDayBytes(clock: () => Date): DayBytes {
  let today = "";
  // Two generations bound the memory: when the young one is full it becomes the old one, and the old one is dropped.
  let young = new Map<string, number>();
  let old = new Map<string, number>();

  return {
    add(allowances, bytes) {
      const day = clock().toISOString().slice(0, 10);
      if (day !== today) {
        today = day;
        young = new Map();
        old = new Map();
      }
      const countOf = ({ key }: DayAllowance) => young.get(key) ?? old.get(key) ?? 0;
      if (allowances.some((one) => countOf(one) + bytes > one.perDay)) return false;
      for (const one of allowances) young.set(one.key, countOf(one) + bytes);
      if (young.size > MAX_KEYS) [old, young] = [young, new Map()];
      return true;
    },
  };
}
