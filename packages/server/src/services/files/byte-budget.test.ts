import { describe, expect, it, vi } from "vitest";
import type { ChatError } from "../../chat-error.ts";
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

  it("gives waiting callers room in the order of their calls, and none to those who gave up", async () => {
    const budget = createByteBudget(100);
    const held = budget.reserve();
    held.add(90);
    const order: string[] = [];
    const wait = (name: string, bytes: number, signal: AbortSignal = new AbortController().signal) =>
      budget
        .reserve()
        .addWhenFree(bytes, 60_000, signal)
        .then(() => order.push(name));
    const gaveUp = new AbortController();
    const waits = [wait("large", 80), wait("small", 20)];
    const left = wait("left", 5, gaveUp.signal);
    gaveUp.abort(new Error("The run was cancelled"));
    await expect(left).rejects.toThrow("The run was cancelled");
    held.shrinkTo(20);
    await Promise.all(waits.slice(0, 1));
    expect([order, budget.used]).toEqual([["large"], 100]);
    held.release();
    await Promise.all(waits);
    expect([order, budget.used]).toEqual([["large", "small"], 100]);
  });

  it("refuses callers who have waited long enough, and admits the next one", async () => {
    vi.useFakeTimers();
    try {
      const budget = createByteBudget(100);
      budget.reserve().add(70);
      const { signal } = new AbortController();
      const large = budget.reserve().addWhenFree(40, 1_000, signal);
      const refused = large.catch((error: unknown) => error);
      const small = budget.reserve().addWhenFree(30, 2_000, signal);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await refused).toMatchObject({ code: "overloaded" });
      await small;
      expect(budget.used).toBe(100);
    } finally {
      vi.useRealTimers();
    }
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
