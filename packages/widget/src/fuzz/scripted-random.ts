/** Random numbers, determined by a seed. */
export interface ScriptedRandom {
  /** True in this share of cases: with 0.1, one in ten. */
  chance(share: number): boolean;
  /** An integer of at least 0 and below `count`. */
  below(count: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/**
 * A linear congruential generator (Numerical Recipes' constants). Only its upper bits are used, because the lower ones have
 * short periods.
 */
export function createScriptedRandom(seed: number): ScriptedRandom {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
  const below = (count: number) => Math.floor(next() * count);
  // The first numbers of neighbouring seeds are alike.
  for (let step = 0; step < 5; step += 1) next();
  return { below, chance: (share) => next() < share, pick: (items) => items[below(items.length)] ?? items[0] };
}
