import type { ModelPrice, Tokens } from "@nitka/server";

const PRICED_TOKENS = 1_000_000;

/**
 * What tokens cost; `undefined` for a model without a price.
 *
 * @example costOf({ inputTokens: 2e6, cachedInputTokens: 1e6, outputTokens: 0 }, { input: 3, cachedInput: 1, output: 9 }) // 4
 */
export function costOf(
  { inputTokens, cachedInputTokens, outputTokens }: Tokens,
  price: ModelPrice | undefined,
): number | undefined {
  if (!price) return undefined;
  const { input, cachedInput = input, output } = price;
  const paid = (inputTokens - cachedInputTokens) * input + cachedInputTokens * cachedInput + outputTokens * output;
  return paid / PRICED_TOKENS;
}
