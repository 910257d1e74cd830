const REMEMBERED = 500;

/**
 * Counts how often each key occurred before. A request does not say that an answer is regenerated, so the model recognises
 * the repeated prompt and words its answer differently. The oldest keys are forgotten.
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
