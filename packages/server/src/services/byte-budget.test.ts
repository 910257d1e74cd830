import { describe, expect, it } from "vitest";
import type { ChatError } from "../chat-error.ts";
import { createByteBudget } from "./byte-budget.ts";

describe("a byte budget", () => {
  it("refuses bytes beyond it over all reservations, with Retry-After", () => {
    const budget = createByteBudget(100);
    const [one, other] = [budget.reserve(), budget.reserve()];
    one.add(60);
    other.add(40);
    expect(budget.used).toBe(100);
    expect(() => one.add(1)).toThrow(expect.objectContaining({ code: "overloaded", retryAfter: 5 }) as ChatError);
    other.release();
    one.add(40);
    expect(budget.used).toBe(100);
  });

  it("gets the bytes of a reservation back once", () => {
    const budget = createByteBudget(100);
    const held = budget.reserve();
    held.add(30);
    held.add(30);
    held.release();
    held.release();
    held.add(10);
    expect(budget.used).toBe(0);
  });
});
