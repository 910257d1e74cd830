import { describe, expect, it } from "vitest";
import type { UsageQuery, UsedTokens } from "../usage.ts";
import type { OpenStorage } from "./fixture.contract.ts";
import { allOf, anna, answer, boris, delta, question, run, storageForEach, submit, time } from "./fixture.contract.ts";

/** The tokens of a call: by default 100 input tokens, 10 of them cached, and 20 output tokens. */
function call(changes: Partial<UsedTokens> = {}): UsedTokens {
  return {
    modelId: "small",
    purpose: "answer",
    calls: 1,
    estimatedCalls: 0,
    inputTokens: 100,
    cachedInputTokens: 10,
    outputTokens: 20,
    ...changes,
  };
}

function sum(key: string | null, calls: number, changes: Partial<UsedTokens> = {}) {
  const { modelId: _, purpose: __, ...counts } = call();
  const times = { inputTokens: calls * 100, cachedInputTokens: calls * 10, outputTokens: calls * 20 };
  return { ...counts, key, calls, ...times, ...changes };
}

const everything = (by: UsageQuery["by"], projectId?: string): UsageQuery => ({
  by,
  from: "2026-11-01",
  to: "2026-11-30",
  projectId,
});

export function usageContract(open: OpenStorage): void {
  describe("usage", () => {
    const storage = storageForEach(open);
    const thread = (threadId: string, owner = anna) =>
      storage.current.threads.create(owner, { threadId, updatedAt: time(0) });

    it("is counted once with an answer's end, and stored with its run", async () => {
      const { runs, usage } = storage.current;
      await thread("t1");
      await runs.begin(anna, run(1), question(1), { ...submit(1), cost: { modelId: "large", inputTokens: 70 } });
      expect(await storage.runOf(1)).toMatchObject({ modelId: "large" });
      const used = [call({ modelId: "large" }), call({ modelId: "small", inputTokens: 50, estimatedCalls: 1 })];
      expect(await runs.end("run1", answer(1, "Ответ"), time(3), { used })).toBe(true);
      expect(await runs.end("run1", answer(1, "Ответ"), time(4), { used })).toBe(false);
      expect(await storage.runOf(1)).toMatchObject({
        modelId: "small",
        tokens: { inputTokens: 150, cachedInputTokens: 20, outputTokens: 40 },
      });
      expect(await usage.report(everything("model"))).toEqual([
        sum("large", 1),
        sum("small", 1, { inputTokens: 50, estimatedCalls: 1 }),
      ]);
    });

    it("is summed by day, project, model and visitor, for one project or all, between two days", async () => {
      const { usage } = storage.current;
      await thread("t1");
      await thread("t2", boris);
      await thread("t3", { ...anna, projectId: "blog" });
      await usage.add(anna, "t1", [call(), call({ purpose: "title" })], "2026-11-01T23:59:59.999Z");
      await usage.add(boris, "t2", [call({ modelId: "large" })], "2026-11-02T02:00:00.000+02:00");
      await usage.add({ ...anna, projectId: "blog" }, "t3", [call()], "2026-11-30T12:00:00.000Z");
      await usage.add(anna, "t1", [call()], "2026-12-01T00:00:00.000Z");
      expect(await usage.report(everything("day"))).toEqual([
        sum("2026-11-01", 2),
        sum("2026-11-02", 1),
        sum("2026-11-30", 1),
      ]);
      expect(await usage.report(everything("project"))).toEqual([sum("shop", 3), sum("blog", 1)]);
      expect(await usage.report(everything("model", "shop"))).toEqual([sum("small", 2), sum("large", 1)]);
      expect(await usage.report(everything("visitor"))).toEqual([
        { ...sum("anna", 2), projectId: "shop" },
        { ...sum("anna", 1), projectId: "blog" },
        { ...sum("boris", 1), projectId: "shop" },
      ]);
      expect(await usage.report({ by: "day", from: "2026-12-02", to: "2026-12-31" })).toEqual([]);
    });

    it("of many visitors is that of those with the most tokens, plus a sum of the others in each project", async () => {
      const { usage, visitors } = storage.current;
      const cafe = (visitorId: string) => ({ projectId: "cafe", visitorId });
      for (let n = 1; n <= 9; n += 1) {
        const owner = { projectId: "shop", visitorId: `v${n}` };
        await thread(`t${n}`, owner);
        await usage.add(owner, `t${n}`, [call({ inputTokens: 100 * n }), call({ purpose: "title" })], time(1));
      }
      for (const visitorId of ["a", "b", "erased"]) {
        await thread(`c-${visitorId}`, cafe(visitorId));
        await usage.add(cafe(visitorId), `c-${visitorId}`, [call()], time(1));
      }
      await visitors.purge(cafe("erased"));
      const of = (n: number) => ({ ...sum(`v${n}`, 2, { inputTokens: 100 * n + 100 }), projectId: "shop" });
      const others = (rows: number, calls: number, inputTokens: number) => ({
        ...sum(null, calls, { inputTokens }),
        projectId: "shop",
        others: rows,
      });
      const inCafe = [
        { ...sum("a", 1), projectId: "cafe" },
        { ...sum("b", 1), projectId: "cafe" },
        { ...sum(null, 1), projectId: "cafe" },
      ];
      expect(await usage.report({ ...everything("visitor"), top: 2 })).toEqual([
        others(7, 14, 3500),
        of(9),
        of(8),
        ...inCafe,
      ]);
      expect(await usage.report({ ...everything("visitor", "shop"), top: 8 })).toEqual([
        ...[9, 8, 7, 6, 5, 4, 3, 2].map(of),
        others(1, 2, 200),
      ]);
      expect(await usage.report({ ...everything("visitor", "shop"), top: 9 })).toHaveLength(9);
    });

    it("stays the same for the project when a visitor is erased, and no longer contains that visitor", async () => {
      const { usage, visitors } = storage.current;
      await thread("t1");
      await thread("t2", boris);
      await usage.add(anna, "t1", [call()], time(1));
      await usage.add(boris, "t2", [call()], time(1));
      await visitors.purge(anna);
      // The title's call was in progress when its visitor was erased.
      await usage.add(anna, "t1", [call()], time(2));
      expect(await usage.report(everything("day"))).toEqual([sum("2026-11-21", 3)]);
      expect(await usage.report(everything("visitor", "shop"))).toEqual([
        { ...sum(null, 2), projectId: "shop" },
        { ...sum("boris", 1), projectId: "shop" },
      ]);
    });

    it("expires old days of a project's visitors, but no day of the project", async () => {
      const { usage } = storage.current;
      const blog = { ...anna, projectId: "blog" };
      await thread("t2", blog);
      await usage.add(blog, "t2", [call()], "2026-11-20T12:00:00.000Z");
      await thread("t1");
      await usage.add(anna, "t1", [call()], "2026-11-20T23:59:59.000Z");
      await usage.add(anna, "t1", [call()], "2026-11-21T00:00:00.000Z");
      expect(await allOf(usage.expire("shop", "2026-11-21T12:00:00.000Z"))).toBe(1);
      expect(await usage.report(everything("visitor"))).toEqual([
        { ...sum("anna", 1), projectId: "blog" },
        { ...sum("anna", 1), projectId: "shop" },
        { ...sum(null, 1), projectId: "shop" },
      ]);
    });

    it("of a visitor without a thread expires like others', and its project is listed until then", async () => {
      const { usage, visitors } = storage.current;
      await thread("t1");
      await usage.add(anna, "t1", [call()], time(1));
      await allOf(visitors.expire("shop", time(2)));
      await allOf(usage.expire("shop", time(2)));
      expect(await storage.current.threads.count(anna)).toBe(0);
      expect(await visitors.projects()).toEqual(["shop"]);
      await allOf(usage.expire("shop", "2026-11-22T00:00:00.000Z"));
      expect(await visitors.projects()).toEqual([]);
      expect(await usage.report(everything("visitor"))).toEqual([{ ...sum(null, 1), projectId: "shop" }]);
    });

    it("is estimated for a run whose process died: the reserved tokens, plus four characters of the answer per token", async () => {
      const { runs, events, usage } = storage.current;
      await thread("t1");
      await runs.begin(anna, run(1), question(1), { ...submit(1), cost: { modelId: "large", inputTokens: 70 } });
      await events.append([delta(1, 1, "Привет")]);
      await runs.interrupt(["run1"], time(20));
      const written = JSON.stringify([{ type: "text", text: "Привет" }]).length;
      const tokens = { inputTokens: 70, cachedInputTokens: 0, outputTokens: Math.ceil(written / 4) };
      expect(await usage.report(everything("model"))).toEqual([
        { key: "large", calls: 1, estimatedCalls: 1, ...tokens },
      ]);
      expect(await storage.runOf(1)).toMatchObject({ tokens });
    });

    it("replaces the estimate when the process of a stale run stores its answer", async () => {
      const { runs, usage } = storage.current;
      await thread("t1");
      await runs.begin(anna, run(1), question(1), { ...submit(1), cost: { modelId: "large", inputTokens: 70 } });
      await runs.interrupt(["run1"], time(20));
      const log = { seq: 0, tail: [], instanceId: "here" };
      expect(await runs.end("run1", answer(1, "Целый"), time(21), { log, used: [call()] })).toBe(true);
      expect(await usage.report(everything("day"))).toEqual([sum("2026-11-21", 1)]);
      expect(await storage.runOf(1)).toMatchObject({ modelId: "small", tokens: { inputTokens: 100 } });
    });

    it("of a run that its closing server has parked is counted once, even if its end is stored again", async () => {
      const { runs, usage } = storage.current;
      await thread("t1");
      await runs.begin(anna, run(1), question(1), { ...submit(1), cost: { modelId: "small", inputTokens: 70 } });
      await storage.current.events.append([delta(1, 1, "До")]);
      const parked = answer(1, "До", { type: "incomplete", reason: "interrupted" });
      const log = { seq: 2, tail: [delta(1, 2, "м")], instanceId: "here" };
      const used = [call({ purpose: "title" }), call({ calls: 2 })];
      const end = () => runs.end("run1", parked, time(3), { log, used });
      expect(await end()).toBe(true);
      // The database's reply to the first was lost.
      expect(await end()).toBe(false);
      expect(await usage.report(everything("model"))).toEqual([
        sum("small", 3, { inputTokens: 200, cachedInputTokens: 20, outputTokens: 40 }),
      ]);
    });

    it("counts every answer of many that end at once", async () => {
      const { runs, usage } = storage.current;
      const numbers = Array.from({ length: 24 }, (_, n) => n);
      for (const n of numbers) await storage.beginIn(`t${n}`, n);
      await Promise.all(
        numbers.flatMap((n) => [
          runs.end(`run${n}`, answer(n, "Ответ"), time(3), { used: [call({ modelId: "b" }), call({ modelId: "a" })] }),
          usage.add(anna, `t${n}`, [call({ purpose: "title", modelId: "a" })], time(3)),
        ]),
      );
      expect(await usage.report(everything("model"))).toEqual([sum("a", 48), sum("b", 24)]);
      expect(await usage.report(everything("visitor"))).toEqual([{ ...sum("anna", 72), projectId: "shop" }]);
    });
  });

  describe("a budget", () => {
    const storage = storageForEach(open);
    const limited = (visitorTokens: number | null, projectTokens: number | null) => ({ visitorTokens, projectTokens });
    const cost = { modelId: "small", inputTokens: 100 };

    it("is used up by answers and by reservations of running ones, only of the same day", async () => {
      const { runs, threads, usage } = storage.current;
      for (const n of [1, 2, 3]) await threads.create(anna, { threadId: `t${n}`, updatedAt: time(0) });
      const begin = (n: number, options: object) => runs.begin(anna, run(n, `t${n}`), question(n), options as never);
      await begin(1, { ...submit(1), cost });
      expect(await usage.spent(anna, limited(101, 101), time(2))).toBeUndefined();
      expect(await usage.spent(anna, limited(100, null), time(2))).toBe("visitor");
      expect(await usage.spent(anna, limited(null, 100), time(2))).toBe("project");
      expect([await usage.ofProject("shop", time(2)), await usage.ofProject("blog", time(2))]).toEqual([100, 0]);
      expect(await usage.spent(boris, limited(100, null), time(2))).toBeUndefined();
      expect(await usage.spent(boris, limited(100, 100), time(2))).toBe("project");
      expect(await usage.spent({ ...anna, projectId: "blog" }, limited(1, 1), time(2))).toBeUndefined();
      await runs.end("run1", answer(1, "Ответ"), time(3), { used: [call()] });
      expect(await begin(2, { ...submit(4), cost, budget: limited(120, null) })).toEqual({
        outcome: "spent",
        whose: "visitor",
      });
      expect(await begin(2, { ...submit(4), cost, budget: limited(null, 120) })).toEqual({
        outcome: "spent",
        whose: "project",
      });
      expect(await storage.messagesOf(anna, "t2")).toEqual([]);
      expect((await begin(2, { ...submit(4), cost, budget: limited(121, 121) })).outcome).toBe("begun");
      const tomorrow = { regenerate: false, at: "2026-11-22T00:00:00.000Z" };
      expect((await begin(3, { ...tomorrow, cost, budget: limited(101, 101) })).outcome).toBe("begun");
      expect(await usage.spent(anna, limited(null, null), time(2))).toBeUndefined();
    });

    it("reserves the tokens of the previous answer for a question too", async () => {
      const { runs, usage } = storage.current;
      await storage.current.threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await runs.begin(anna, run(1), question(1), { ...submit(1), cost });
      await runs.end("run1", answer(1, "Ответ"), time(2), { used: [call({ inputTokens: 900 })] });
      await runs.begin(anna, run(2), question(2, "a1"), { ...submit(3), cost });
      // 920 were used on the previous day: only running answers count for this day.
      const tomorrow = "2026-11-22T00:00:00.000Z";
      expect(await usage.spent(anna, limited(1021, null), tomorrow)).toBeUndefined();
      expect(await usage.spent(anna, limited(1020, null), tomorrow)).toBe("visitor");
    });

    it.each([
      ["visitor", limited(300, null)],
      ["project", limited(null, 300)],
    ] as const)("of a %s lets only as many concurrent questions begin as it has room for", async (whose, budget) => {
      const { runs, threads } = storage.current;
      const numbers = Array.from({ length: 12 }, (_, n) => n);
      const ownerOf = (n: number) => (whose === "project" ? { ...anna, visitorId: `visitor${n}` } : anna);
      for (const n of numbers) await threads.create(ownerOf(n), { threadId: `t${n}`, updatedAt: time(0) });
      const outcomes = await Promise.all(
        numbers.map((n) => runs.begin(ownerOf(n), run(n, `t${n}`), question(n), { ...submit(1), cost, budget })),
      );
      expect(outcomes.filter(({ outcome }) => outcome === "begun")).toHaveLength(3);
      expect(outcomes.filter(({ outcome }) => outcome === "spent")).toEqual(
        Array.from({ length: 9 }, () => ({ outcome: "spent", whose })),
      );
    });
  });
}
