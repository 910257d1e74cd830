import { expect, it } from "vitest";
import { costOf } from "./desk-figures.ts";

const tokens = { inputTokens: 3_000_000, cachedInputTokens: 1_000_000, outputTokens: 500_000 };

it("a cost is computed per million tokens, with a separate price for cached tokens", () => {
  expect(costOf(tokens, { input: 2, cachedInput: 0.5, output: 8 })).toBe(8.5);
  expect(costOf(tokens, { input: 2, output: 8 })).toBe(10);
  expect(costOf(tokens, { input: 2, cachedInput: 0, output: 8 })).toBe(8);
});

it("a model without a price has no cost", () => {
  expect(costOf(tokens, undefined)).toBeUndefined();
});
