/** Numbers from 0 to 1 that a seed repeats (Park and Miller's generator). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
