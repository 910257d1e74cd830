import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createNearBudget } from "./near-budget.ts";
import { defaultLimits } from "./project.ts";
import type { Limits } from "./project.ts";

describe("the budget of a question", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function budgets(used: number | (() => Promise<number>)) {
    const asked: string[] = [];
    const ofProject = (projectId: string) => {
      asked.push(projectId);
      return typeof used === "number" ? Promise.resolve(used) : used();
    };
    const near = createNearBudget({ ofProject }, () => new Date("2026-11-23T12:00:00Z"));
    const of = (limits: Partial<Limits>, id = "shop") => near({ id, limits: { ...defaultLimits, ...limits } });
    return { asked, of };
  }

  const million = 1_000_000;
  const limits = { projectTokensPerDay: 100 * million, contextChars: 200_000 };

  it("leaves the project's out while that is far from used up, which is read once in two seconds for all", async () => {
    const { asked, of } = budgets(90 * million);
    const many = await Promise.all(Array.from({ length: 50 }, () => of(limits)));
    expect(new Set(many)).toEqual(new Set([undefined]));
    expect(await of({ ...limits, tokensPerDay: 7 })).toEqual({ visitorTokens: 7, projectTokens: null });
    expect(asked).toEqual(["shop"]);
    vi.advanceTimersByTime(2_000);
    await of(limits);
    await of(limits, "blog");
    expect(asked).toEqual(["shop", "shop", "blog"]);
  });

  it.each([
    ["within its last twentieth", 95 * million, limits],
    ["within a hundred of the longest questions", 91 * million, { ...limits, contextChars: 400_000 }],
    ["when a question may be of any length", 0, { ...limits, contextChars: null }],
    ["when it is smaller than a hundred questions", 0, { ...limits, projectTokensPerDay: 5 * million }],
  ])("is exact for the project %s", async (_, used, given) => {
    const exact = { visitorTokens: null, projectTokens: given.projectTokensPerDay };
    expect(await budgets(used).of(given)).toEqual(exact);
  });

  it("is read again by the next question when the database has failed", async () => {
    const outcomes = [Promise.reject(new Error("The database is away")), Promise.resolve(0)];
    const { of } = budgets(() => outcomes.shift() ?? Promise.resolve(0));
    await expect(of(limits)).rejects.toThrow("The database is away");
    expect(await of(limits)).toBeUndefined();
  });
});
