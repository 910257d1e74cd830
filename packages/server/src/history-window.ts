/** The rule by which a history is cut to its limits, `contextChars` (`model/prompt`) and bytes (`services/read-branch`). */

/** The size of an exchange, in any unit: bytes or characters. */
export interface ExchangeSize {
  /** Its question alone. */
  readonly question: number;
  /** Its question and its answer. */
  readonly whole: number;
}

/**
 * The index of the first exchange that the model is sent, for the question of the last one. When the history no longer fits,
 * exchanges are cut until it fills half of the room. So the beginning stays the same for many questions, and the provider's
 * prompt cache hits. The result depends on the sizes alone: each call repeats the cuts of the questions before.
 *
 * @example
 * const exchange = { question: 0, whole: 10 };
 * windowStart([exchange, exchange, exchange, exchange], 25); // 2: three exchanges of 10 exceed 25, one of them fits in half
 */
export function windowStart(exchanges: readonly ExchangeSize[], room: number): number {
  let start = 0;
  let size = 0;
  for (const [index, { question, whole }] of exchanges.entries()) {
    const free = Math.max(0, room - question);
    if (size > free) {
      while (size > free / 2) {
        size -= exchanges[start]?.whole ?? 0;
        start += 1;
      }
    }
    if (index < exchanges.length - 1) size += whole;
  }
  return start;
}
