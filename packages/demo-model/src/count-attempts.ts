const REMEMBERED = 500;

/**
 * Counts how often each key came before. A model is not told that its answer is asked for again, so that this is how the
 * demo knows to word it differently. Bounded: the oldest keys are forgotten.
 */
export function countAttempts(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const attempt = counts.get(key) ?? 0;
    counts.delete(key);
    counts.set(key, attempt + 1);
    const [oldest] = counts.keys();
    if (counts.size > REMEMBERED && oldest !== undefined) counts.delete(oldest);
    return attempt;
  };
}
