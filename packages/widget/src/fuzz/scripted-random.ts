/** Chance that a seed determines. */
export interface ScriptedRandom {
  /** Whether something happens that does so in `share` of all cases. */
  chance(share: number): boolean;
  /** 0 up to, but not, `count`. */
  below(count: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** A linear congruential generator, of which the upper bits are used. */
export function createScriptedRandom(seed: number): ScriptedRandom {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
  const below = (count: number) => Math.floor(next() * count);
  // Seeds that are neighbours begin alike.
  for (let step = 0; step < 5; step += 1) next();
  return { below, chance: (share) => next() < share, pick: (items) => items[below(items.length)] ?? items[0] };
}
