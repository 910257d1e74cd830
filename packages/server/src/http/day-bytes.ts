/** Bytes by address and UTC day, in memory: what one process counts, another does not see. */
export interface DayBytes {
  /** Counts bytes for all of the keys; returns false, and counts nothing, when one of them has no room for them. */
  add(allowances: readonly DayAllowance[], bytes: number): boolean;
}

export interface DayAllowance {
  readonly key: string;
  readonly perDay: number;
}

/** So many addresses are remembered for certain, and twice as many at most. */
const MAX_KEYS = 25_000;

export function createDayBytes(clock: () => Date): DayBytes {
  let today = "";
  // Two generations: when the younger is full, the older goes as a whole.
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
      const counted = ({ key }: DayAllowance) => young.get(key) ?? old.get(key) ?? 0;
      if (allowances.some((one) => counted(one) + bytes > one.perDay)) return false;
      for (const one of allowances) young.set(one.key, counted(one) + bytes);
      if (young.size > MAX_KEYS) [old, young] = [young, new Map()];
      return true;
    },
  };
}
