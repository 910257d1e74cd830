import { describe, expect, it } from "vitest";
import type { OpenStorage } from "./fixture.contract.ts";
import {
  anna,
  answer,
  delta,
  foreigners,
  named,
  question,
  run,
  storageForEach,
  submit,
  time,
} from "./fixture.contract.ts";

export function claimContract(open: OpenStorage): void {
  describe("claiming a visitor's threads", () => {
    const storage = storageForEach(open);

    it("moves them with their contents, archived ones too, and returns how many are not archived", async () => {
      const { threads, attachments, runs, visitors } = storage.current;
      const file = { id: "f1", type: "file", name: "a.txt", contentType: "text/plain", size: 1, url: "f1" } as const;
      await threads.create(anna, { threadId: "t1", title: "Чай", updatedAt: time(0) });
      await storage.keep(anna, "t1", file, Uint8Array.of(65), time(1));
      await runs.begin(anna, run(1), question(1), submit(2));
      await runs.end("run1", answer(1, "Да"), time(3));
      await threads.create(anna, { threadId: "t2", updatedAt: time(4) });
      await threads.archive(anna, "t2", time(5));
      await threads.create(named, { threadId: "t3", updatedAt: time(6) });
      expect(await visitors.claim(anna, named.visitorId)).toBe(1);
      expect(await storage.exportOf(anna)).toEqual({ ...anna, threads: [] });
      expect((await storage.exportOf(named)).threads.map(({ threadId }) => threadId).toSorted()).toEqual([
        "t1",
        "t2",
        "t3",
      ]);
      expect((await storage.messagesOf(named, "t1")).map(({ id }) => id)).toEqual(["q1", "a1"]);
      expect(await attachments.find(named, "f1")).toMatchObject({ threadId: "t1" });
      expect((await runs.standing(named, "t1", "q1"))?.asked).toMatchObject({ runId: "run1" });
      expect(await runs.ownerOf("run1")).toEqual(named);
    });

    it("moves the visitor's consents; the first time counts, and erasing forgets them", async () => {
      const { visitors } = storage.current;
      const consents = async () => [await visitors.consents(anna), await visitors.consents(named)];
      await visitors.agree(anna, { version: "2", at: time(3) });
      await visitors.agree(anna, { version: "1", at: time(1) });
      await visitors.agree(anna, { version: "1", at: time(9) });
      await visitors.agree(named, { version: "2", at: time(2) });
      expect(await consents()).toEqual([
        [
          { version: "1", at: time(1) },
          { version: "2", at: time(3) },
        ],
        [{ version: "2", at: time(2) }],
      ]);
      expect(await visitors.projects()).toEqual(["shop"]);
      for (const foreigner of foreigners) expect(await visitors.consents(foreigner)).toEqual([]);
      await visitors.claim(anna, named.visitorId);
      expect(await consents()).toEqual([
        [],
        [
          { version: "1", at: time(1) },
          { version: "2", at: time(2) },
        ],
      ]);
      await visitors.purge(named);
      expect(await consents()).toEqual([[], []]);
      expect(await visitors.projects()).toEqual([]);
    });

    it("moves them only once", async () => {
      const { threads, visitors } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      expect(await visitors.claim(anna, named.visitorId)).toBe(1);
      expect(await visitors.claim(anna, named.visitorId)).toBe(0);
      expect(await visitors.claim(anna, "host:8")).toBe(0);
      expect(await visitors.claim(named, named.visitorId)).toBe(0);
      expect(await threads.count(named)).toBe(1);
    });

    it("moves the day's tokens: the budget counts them for the identified visitor, and erasing that visitor deletes them", async () => {
      const { threads, usage, visitors } = storage.current;
      const used = { purpose: "answer", calls: 1, estimatedCalls: 0, cachedInputTokens: 0, outputTokens: 20 };
      const call = (modelId: string, inputTokens: number) => ({ ...used, modelId, inputTokens });
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await threads.create(named, { threadId: "t2", updatedAt: time(0) });
      await usage.add(anna, "t1", [call("small", 100), call("large", 1000)], time(1));
      await usage.add(anna, "t1", [call("small", 7)], "2026-11-20T12:00:00.000Z");
      await usage.add(named, "t2", [call("small", 10)], time(1));
      await visitors.claim(anna, named.visitorId);
      const budget = (visitorTokens: number) => ({ visitorTokens, projectTokens: null });
      expect(await usage.spent(named, budget(1170), time(2))).toBe("visitor");
      expect(await usage.spent(named, budget(1171), time(2))).toBeUndefined();
      const sums = { projectId: "shop", calls: 4, estimatedCalls: 0, cachedInputTokens: 0 };
      const all = { ...sums, inputTokens: 1117, outputTokens: 80 };
      const report = () => usage.report({ by: "visitor", from: "2026-11-01", to: "2026-11-30" });
      expect(await report()).toEqual([{ ...all, key: named.visitorId }]);
      await visitors.purge(named);
      expect(await report()).toEqual([{ ...all, key: null }]);
    });

    it("while answers end counts every request for the current owner of its thread", async () => {
      const { runs, usage, visitors } = storage.current;
      const numbers = Array.from({ length: 12 }, (_, n) => n);
      for (const n of numbers) await storage.beginIn(`t${n}`, n);
      const call = {
        purpose: "answer",
        calls: 1,
        estimatedCalls: 0,
        inputTokens: 5,
        cachedInputTokens: 0,
        outputTokens: 1,
      };
      const used = [
        { ...call, modelId: "b" },
        { ...call, modelId: "a" },
      ];
      await usage.add(anna, "t0", used, time(2));
      await Promise.all([
        ...numbers.map((n) => runs.end(`run${n}`, answer(n, "Да"), time(3), { used })),
        visitors.claim(anna, named.visitorId),
        ...numbers.map((n) => usage.add(anna, `t${n}`, used, time(3))),
      ]);
      expect(await usage.report({ by: "visitor", from: "2026-11-21", to: "2026-11-21" })).toMatchObject([
        { key: named.visitorId, calls: 50, inputTokens: 250 },
      ]);
    });

    it("moves a running run: it counts for its new owner, ends there, and the old owner does not find it", async () => {
      const { runs, visitors, messages } = storage.current;
      await storage.beginIn("t1", 1);
      await visitors.claim(anna, named.visitorId);
      expect(await runs.findRunning(anna, "t1")).toBeUndefined();
      expect(await runs.findRunning(named, "t1")).toMatchObject({ runId: "run1" });
      expect([await runs.countRunning(anna), await runs.countRunning(named)]).toEqual([0, 1]);
      expect(await runs.end("run1", answer(1, "Да"), time(3))).toBe(true);
      expect(await messages.find(named, "t1", "a1")).toMatchObject({ status: { type: "complete" } });
    });

    it.each(foreigners)("moves nothing of $visitorId of $projectId", async (foreigner) => {
      const { threads, visitors } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      expect(await visitors.claim(foreigner, named.visitorId)).toBe(0);
      expect(await threads.count(anna)).toBe(1);
    });

    it("while runs begin leaves every run with the owner of its thread, and no thread with the old owner", async () => {
      const { runs, threads, visitors } = storage.current;
      const ids = Array.from({ length: 12 }, (_, n) => n + 1);
      for (const n of ids) await threads.create(anna, { threadId: `t${n}`, updatedAt: time(0) });
      const begins = ids.map((n) => runs.begin(anna, run(n, `t${n}`), question(n), { ...submit(2), limit: 100 }));
      const [begun, ...claimed] = await Promise.all([
        Promise.all(begins),
        visitors.claim(anna, named.visitorId),
        visitors.claim(anna, named.visitorId),
      ]);
      expect(claimed.toSorted((one, other) => one - other)).toEqual([0, ids.length]);
      const owners = await Promise.all(ids.map((n) => runs.ownerOf(`run${n}`)));
      expect(owners).toEqual(begun.map(({ outcome }) => (outcome === "begun" ? named : undefined)));
      expect(await threads.count(named)).toBe(ids.length);
    });

    it("in both directions at the same time does not deadlock", async () => {
      const { threads, visitors } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await threads.create(named, { threadId: "t2", updatedAt: time(0) });
      await Promise.all([visitors.claim(anna, named.visitorId), visitors.claim(named, anna.visitorId)]);
      expect((await threads.count(anna)) + (await threads.count(named))).toBe(2);
    });

    it("finds no owner of a purged run", async () => {
      const { runs, visitors } = storage.current;
      await storage.beginIn("t1", 1);
      await visitors.purge(anna);
      expect(await runs.ownerOf("run1")).toBeUndefined();
    });
  });

  describe("purging while events are appended", () => {
    const storage = storageForEach(open);

    it("leaves no event of a purged run", async () => {
      const { events, visitors } = storage.current;
      const ids = Array.from({ length: 30 }, (_, n) => n + 1);
      for (const n of ids) await storage.beginIn(`t${n}`, n);
      const appending = async (seq: number): Promise<void> => {
        await events.append(ids.map((n) => delta(n, seq, "слово ".repeat(200))));
        await new Promise(setImmediate);
      };
      await appending(1);
      const purging = visitors.purge(anna);
      for (let seq = 2; seq < 60; seq += 1) await appending(seq);
      await purging;
      expect(await Promise.all(ids.map((n) => events.read(`run${n}`, 0)))).toEqual(ids.map(() => []));
    });
  });
}
