export const LATE = Symbol("late");

/** What the promise resolves to, or `LATE` after the time. What becomes of the promise then is told to nobody. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, ms, LATE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
