/** The rule that cuts a history to its limits: `contextChars` (`model/prompt`) and bytes (`services/read-branch`). */

/** The size of an exchange, in any unit, such as bytes or characters. */
export interface ExchangeSize {
  /** The size of the question. */
  readonly question: number;
  /** The size of the question and the answer together. */
  readonly whole: number;
}

/**
 * Returns the index of the first exchange that is sent to the model with the last exchange's question. When the history
 * no longer fits, exchanges are dropped from its beginning until the rest fills half of the room. So the beginning
 * stays the same for many questions, and the provider's prompt cache hits. The result depends only on the sizes: each
 * call repeats the cuts of earlier questions.
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
