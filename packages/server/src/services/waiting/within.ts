export const LATE = Symbol("late");

/** Resolves to the promise's result, or to `LATE` after `ms` milliseconds. A later result or rejection is ignored. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, ms, LATE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
