import type { Feedback } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import type { NewUnanswered } from "../unanswered.ts";
import { allOf, anna, answer, foreigners, named, storageForEach, time } from "./fixture.contract.ts";
import type { OpenStorage } from "./fixture.contract.ts";

const passages = [{ url: "https://shop.example/delivery#days", title: "Доставка" }];

const entry = (n: number, more: Partial<NewUnanswered> = {}): NewUnanswered => ({
  threadId: `t${n}`,
  messageId: `a${n}`,
  question: `Вопрос ${n}`,
  reason: "uncited",
  at: time(n),
  passages,
  ...more,
});

export function unansweredContract(open: OpenStorage): void {
  describe("an unanswered question", () => {
    const storage = storageForEach(open);

    async function answered(...numbers: readonly number[]): Promise<void> {
      for (const n of numbers) {
        await storage.beginIn(`t${n}`, n);
        await storage.current.runs.end(`run${n}`, answer(n, "Не знаю"), time(n));
      }
    }

    const rate = (feedback: Feedback | null) => storage.current.messages.rate(anna, "t1", "a1", feedback);

    const listed = (projectIds: readonly string[] = ["shop"], from = time(0), limit = 10) =>
      storage.current.desk.unanswered({ projectIds, from, limit });

    it("is listed newest first, by project and time, until it is closed", async () => {
      await answered(1, 2, 3);
      const { unanswered, desk } = storage.current;
      for (const n of [1, 3, 2]) expect(await unanswered.keep(anna, entry(n))).toBe(true);
      const all = await listed();
      expect(all).toMatchObject([entry(3), entry(2), entry(1)]);
      expect(all.map(({ projectId }) => projectId)).toEqual(["shop", "shop", "shop"]);
      expect(await listed(["blog"])).toEqual([]);
      expect(await listed([])).toEqual([]);
      expect(await listed(["blog", "shop"], time(2), 1)).toMatchObject([entry(3)]);
      const [newest, middle] = all.map(({ id }) => id);
      expect(new Set(all.map(({ id }) => id)).size).toBe(3);
      expect(await desk.closeUnanswered(["blog"], [newest ?? ""])).toBe(0);
      expect(await desk.closeUnanswered(["shop"], [newest ?? "", middle ?? "", "none"])).toBe(2);
      expect(await listed()).toMatchObject([entry(1)]);
    });

    it("has one entry per answer: a dislike replaces it and can be withdrawn, another reason does not", async () => {
      await answered(1);
      const { unanswered } = storage.current;
      await unanswered.keep(anna, entry(1, { reason: "nothing_found", passages: [] }));
      await unanswered.keep(anna, entry(1, { at: time(5) }));
      expect(await listed()).toMatchObject([{ reason: "nothing_found", passages: [], at: time(1) }]);
      expect(await unanswered.withdraw(anna, "t1", "a1")).toBe(false);
      const disliked = entry(1, { reason: "disliked", at: time(7) });
      await rate({ rating: "down", reason: "Нет\u0000 цены" });
      expect(await unanswered.keep(anna, disliked)).toBe(true);
      await unanswered.keep(anna, entry(1));
      expect(await listed()).toMatchObject([{ ...disliked, comment: "Нет цены" }]);
      await rate(null);
      for (const owner of foreigners) expect(await unanswered.withdraw(owner, "t1", "a1")).toBe(false);
      expect(await unanswered.withdraw(anna, "t1", "a1")).toBe(true);
      expect(await listed()).toEqual([]);
    });

    it("follows the current rating of the answer, whatever the order in which two ratings arrive", async () => {
      await answered(1);
      const { unanswered } = storage.current;
      const disliked = entry(1, { reason: "disliked" });
      await rate({ rating: "down" });
      await rate(null);
      expect(await unanswered.withdraw(anna, "t1", "a1")).toBe(false);
      expect(await unanswered.keep(anna, disliked)).toBe(false);
      expect(await listed()).toEqual([]);
      await rate({ rating: "down", reason: "Мимо" });
      expect(await unanswered.keep(anna, disliked)).toBe(true);
      expect(await unanswered.withdraw(anna, "t1", "a1")).toBe(false);
      expect(await listed()).toMatchObject([{ ...disliked, comment: "Мимо" }]);
    });

    it("is stored only for the thread's owner", async () => {
      await answered(1);
      for (const owner of foreigners) expect(await storage.current.unanswered.keep(owner, entry(1))).toBe(false);
      expect(await storage.current.unanswered.keep(anna, entry(2))).toBe(false);
      expect(await listed(["shop", "blog", ""])).toEqual([]);
    });

    it("is deleted with its thread: archived, erased and expired", async () => {
      await answered(1, 2);
      const { unanswered, threads, visitors } = storage.current;
      for (const n of [1, 2]) await unanswered.keep(anna, entry(n));
      await visitors.claim(anna, named.visitorId);
      expect(await listed()).toHaveLength(2);
      await threads.archive(named, "t1", time(9));
      expect(await listed()).toMatchObject([entry(2)]);
      expect(await unanswered.keep(named, entry(1, { reason: "disliked" }))).toBe(false);
      await visitors.purge(named);
      expect(await listed()).toEqual([]);
      await answered(3);
      await unanswered.keep(anna, entry(3));
      await allOf(visitors.expire("shop", time(50)));
      expect(await listed()).toEqual([]);
    });
  });
}
