/** What an exchange takes of the room that a model has for a conversation. */
export interface ExchangeSize {
  /** Its question alone. */
  readonly question: number;
  /** Its question and its answer. */
  readonly whole: number;
}

/**
 * The exchange that the history begins with when the last one is asked. Where the history no longer fits, the older half
 * of the room is given up at once, so that the same beginning serves many turns and the provider's prompt cache hits.
 * The result comes from the sizes alone: each turn repeats the cuts of the turns before it.
 */
export function windowStart(exchanges: readonly ExchangeSize[], room: number): number {
  let start = 0;
  let held = 0;
  for (const [index, { question, whole }] of exchanges.entries()) {
    const free = Math.max(0, room - question);
    if (held > free) {
      while (held > free / 2) {
        held -= exchanges[start]?.whole ?? 0;
        start += 1;
      }
    }
    if (index < exchanges.length - 1) held += whole;
  }
  return start;
}
