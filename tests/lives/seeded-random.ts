/** Random numbers, determined by a seed. */
export interface SeededRandom {
  /** True in this share of cases: with 0.1, one in ten. */
  chance(share: number): boolean;
  /** An integer of at least 0 and below `count`. */
  below(count: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** Separate numbers for one of several concurrent actors, so that the speed of the others changes nothing. */
  fork(): SeededRandom;
}

/** Mulberry32: neighbouring seeds give unlike numbers. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = Math.imul(seed, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)] ?? items[0],
    fork: () => createSeededRandom(below(2 ** 31)),
  };
}
