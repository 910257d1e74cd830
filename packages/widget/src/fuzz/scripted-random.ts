/** Random numbers, determined by a seed. */
export interface ScriptedRandom {
  /** True in this share of cases: 0.1 is one in ten. */
  chance(share: number): boolean;
  /** An integer from 0 up to, not including, `count`. */
  below(count: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** A linear congruential generator (Numerical Recipes' constants). Its upper bits are used: the lower ones have short periods. */
export function createScriptedRandom(seed: number): ScriptedRandom {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
  const below = (count: number) => Math.floor(next() * count);
  // Neighbouring seeds begin alike.
  for (let step = 0; step < 5; step += 1) next();
  return { below, chance: (share) => next() < share, pick: (items) => items[below(items.length)] ?? items[0] };
}
