import { describe, expect, it } from "vitest";
import type { OpenStorage } from "./fixture.contract.ts";
import { allOf, anna, answer, foreigners, question, run, storageForEach, submit, time } from "./fixture.contract.ts";

export function threadsContract(open: OpenStorage): void {
  describe("threads", () => {
    const storage = storageForEach(open);

    it("lists a visitor's threads, newest first, equal times in a fixed order", async () => {
      const { threads } = storage.current;
      await threads.create(anna, { threadId: "b", updatedAt: time(1) });
      await threads.create(anna, { threadId: "a", updatedAt: time(1), title: "Погода" });
      await threads.create(anna, { threadId: "c", updatedAt: time(2) });
      expect(await threads.list(anna, { limit: 10 })).toEqual([
        { threadId: "c", updatedAt: time(2) },
        { threadId: "b", updatedAt: time(1) },
        { threadId: "a", updatedAt: time(1), title: "Погода" },
      ]);
      expect(await threads.count(anna)).toBe(3);
    });

    it("orders ids byte by byte, whatever the collation of the database", async () => {
      const { threads } = storage.current;
      for (const threadId of ["a", "B", "c", "-b"]) await threads.create(anna, { threadId, updatedAt: time(1) });
      const listed = await threads.list(anna, { limit: 9 });
      expect(listed.map(({ threadId }) => threadId)).toEqual(["c", "a", "B", "-b"]);
    });

    it("returns a list in pages without losing or repeating a thread, also at equal times", async () => {
      const { threads } = storage.current;
      for (let n = 0; n < 10; n += 1) {
        await threads.create(anna, { threadId: `t${n}`, updatedAt: time(Math.floor(n / 4)) });
      }
      const all = await threads.list(anna, { limit: 100 });
      const paged = [];
      for (let before: string | undefined; ;) {
        const page = await threads.list(anna, { limit: 3, ...(before !== undefined && { before }) });
        if (page.length === 0) break;
        paged.push(...page);
        before = page.at(-1)?.threadId;
      }
      expect(paged).toEqual(all);
      expect(paged).toHaveLength(10);
    });

    it("continues after a thread that was archived meanwhile, and lists nothing after an unknown one or another owner's", async () => {
      const { threads } = storage.current;
      await threads.create(anna, { threadId: "old", updatedAt: time(1) });
      await threads.create(anna, { threadId: "middle", updatedAt: time(2) });
      await threads.create({ ...anna, visitorId: "boris" }, { threadId: "boris", updatedAt: time(3) });
      await threads.archive(anna, "middle", time(4));
      expect(await threads.list(anna, { limit: 9, before: "middle" })).toEqual([
        { threadId: "old", updatedAt: time(1) },
      ]);
      expect(await threads.list(anna, { limit: 9, before: "unknown" })).toEqual([]);
      expect(await threads.list(anna, { limit: 9, before: "boris" })).toEqual([]);
    });

    it("continues where a thread was listed, also when it has moved up since", async () => {
      const { threads, runs } = storage.current;
      for (const n of [1, 2, 3, 4]) await threads.create(anna, { threadId: `t${n}`, updatedAt: time(n) });
      const [, last] = await threads.list(anna, { limit: 2 });
      expect(last).toEqual({ threadId: "t3", updatedAt: time(3) });
      await runs.begin(anna, run(1, "t3"), question(1), submit(9));
      const idsAfter = async (at?: string) =>
        (await threads.list(anna, { limit: 9, before: "t3", ...(at !== undefined && { at }) })).map(
          ({ threadId }) => threadId,
        );
      expect([await idsAfter(), await idsAfter(time(3))]).toEqual([
        ["t4", "t2", "t1"],
        ["t2", "t1"],
      ]);
    });

    it("accepts times of any zone and returns UTC", async () => {
      const { threads } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: "2026-11-21T15:00:01+03:00" });
      expect(await threads.find(anna, "t1")).toEqual({ threadId: "t1", updatedAt: time(1) });
      await expect(threads.create(anna, { threadId: "t2", updatedAt: "yesterday" })).rejects.toThrow(
        'A time must be an ISO 8601 date and time, got "yesterday"',
      );
    });

    it("refuses a second thread of the same id and keeps the first", async () => {
      const { threads } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(1), title: "Мой" });
      await expect(
        threads.create({ ...anna, visitorId: "boris" }, { threadId: "t1", updatedAt: time(2) }),
      ).rejects.toThrow(/unique constraint/i);
      expect((await threads.find(anna, "t1"))?.title).toBe("Мой");
    });

    it("lets a model rename a thread until the visitor does", async () => {
      const { threads } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(1) });
      expect(await threads.rename(anna, "t1", "От модели", "model")).toBe(true);
      expect(await threads.rename(anna, "t1", "Снова от неё", "model")).toBe(true);
      expect(await threads.rename(anna, "t1", "Мой", "visitor")).toBe(true);
      expect(await threads.rename(anna, "t1", "Поздно", "model")).toBe(false);
      expect(await threads.find(anna, "t1")).toEqual({
        threadId: "t1",
        updatedAt: time(1),
        title: "Мой",
        titledBy: "visitor",
      });
    });

    it("treats a title that the thread was created with as the visitor's", async () => {
      const { threads } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(1), title: "Мой" });
      expect(await threads.rename(anna, "t1", "От модели", "model")).toBe(false);
    });

    it("removes NUL and lone surrogates from a title", async () => {
      const { threads } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(1), title: "a\0b \uD83D 🧵" });
      expect((await threads.find(anna, "t1"))?.title).toBe("ab \uFFFD 🧵");
      await threads.rename(anna, "t1", "\0\uDE00", "visitor");
      expect((await threads.find(anna, "t1"))?.title).toBe("\uFFFD");
    });

    it("finds nothing for an id that no thread can have", async () => {
      const { threads } = storage.current;
      await threads.create(anna, { threadId: "ab", updatedAt: time(1) });
      for (const id of ["a\0b", "\uD83D", "", "' or 1=1 --", "я".repeat(10_000)]) {
        expect(await threads.find(anna, id)).toBeUndefined();
      }
    });

    it("makes an archived thread, its messages, its runs and its attachments unreachable at once", async () => {
      const { threads, messages, runs, attachments } = storage.current;
      await storage.beginIn("t1", 1);
      const file = { id: "f1", type: "file", name: "a.bin", contentType: "x/y", size: 1, url: "u" } as const;
      await storage.keep(anna, "t1", file, Uint8Array.of(7), time(1));
      const running = await storage.runOf(1);
      expect(await threads.archive(anna, "t1", time(2))).toEqual({ running });
      expect(await threads.list(anna, { limit: 9 })).toEqual([]);
      expect(await threads.count(anna)).toBe(0);
      expect(await threads.find(anna, "t1")).toBeUndefined();
      expect(await storage.messagesOf(anna, "t1")).toEqual([]);
      expect(await messages.find(anna, "t1", "q1")).toBeUndefined();
      expect(await runs.findRunning(anna, "t1")).toBeUndefined();
      expect((await runs.standing(anna, "t1", "q1"))?.asked).toBeUndefined();
      expect(await attachments.find(anna, "f1")).toBeUndefined();
      expect(await attachments.read(anna, "f1")).toBeUndefined();
      expect(await threads.rename(anna, "t1", "Другое", "visitor")).toBe(false);
      expect(await threads.archive(anna, "t1", time(3))).toBeUndefined();
    });

    it("returns no run for an archived thread without a running run", async () => {
      const { threads, runs } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.end("run1", answer(1, "Ответ"), time(2));
      expect(await threads.archive(anna, "t1", time(3))).toEqual({});
    });

    it("restores a thread unchanged, with its messages, its run's end and its attachments", async () => {
      const { threads, runs, attachments } = storage.current;
      await storage.beginIn("t1", 1);
      await threads.create(anna, { threadId: "t2", updatedAt: time(9) });
      const file = { id: "f1", type: "file", name: "a.bin", contentType: "x/y", size: 1, url: "u" } as const;
      await storage.keep(anna, "t1", file, Uint8Array.of(7), time(1));
      await runs.end("run1", answer(1, "Ответ"), time(2));
      const look = async () => ({
        listed: await threads.list(anna, { limit: 9 }),
        found: await threads.find(anna, "t1"),
        messages: await storage.messagesOf(anna, "t1"),
        attachment: await attachments.find(anna, "f1"),
        bytes: (await attachments.read(anna, "f1")) !== undefined,
      });
      const before = await look();
      await threads.archive(anna, "t1", time(3));
      await threads.restore(anna, "t1", time(3));
      expect(await look()).toEqual(before);
      await threads.restore(anna, "t1", time(3));
      expect(await look()).toEqual(before);
    });

    it("restores neither a thread that was archived too long ago nor another owner's", async () => {
      const { threads } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(1) });
      await threads.archive(anna, "t1", time(3));
      await threads.restore(anna, "t1", time(4));
      for (const foreigner of foreigners) await threads.restore(foreigner, "t1", time(1));
      expect(await threads.count(anna)).toBe(0);
      await threads.restore(anna, "t1", time(3));
      expect(await threads.count(anna)).toBe(1);
    });

    it("drops an archived thread's attachments later, but not those of a restored thread", async () => {
      const { threads, attachments } = storage.current;
      const file = { id: "f1", type: "file", name: "a.bin", contentType: "x/y", size: 1, url: "u" } as const;
      for (const n of [1, 2, 3]) {
        await threads.create(anna, { threadId: `t${n}`, updatedAt: time(1) });
        await storage.keep(anna, `t${n}`, { ...file, id: `f${n}` }, Uint8Array.of(7), time(1));
        await threads.archive(anna, `t${n}`, time(n + 1));
      }
      await threads.restore(anna, "t2", time(1));
      expect(await allOf(attachments.expireArchived(time(3)))).toBe(1);
      await threads.restore(anna, "t1", time(1));
      await threads.restore(anna, "t3", time(1));
      const kept = await attachments.findAll(anna, ["f1", "f2", "f3"]);
      expect(kept.map(({ attachment }) => attachment.id).toSorted()).toEqual(["f2", "f3"]);
    });

    it("exports an archived thread without the attachments that were dropped", async () => {
      const { threads, attachments } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(1) });
      const file = { id: "f1", type: "file", name: "a.bin", contentType: "x/y", size: 1, url: "u" } as const;
      await storage.keep(anna, "t1", file, Uint8Array.of(7), time(1));
      await threads.archive(anna, "t1", time(2));
      expect(await allOf(attachments.expireArchived(time(3)))).toBe(1);
      const thread = { threadId: "t1", createdAt: time(1), updatedAt: time(1), archivedAt: time(2) };
      expect(await storage.exportOf(anna)).toEqual({
        ...anna,
        threads: [{ ...thread, messages: [], runs: [], attachments: [] }],
      });
    });

    it.each(foreigners)(
      "shows nothing to $visitorId of $projectId, and changes nothing for them",
      async (foreigner) => {
        const { threads } = storage.current;
        await storage.beginIn("t1", 1);
        const before = await threads.find(anna, "t1");
        expect(await threads.list(foreigner, { limit: 9 })).toEqual([]);
        expect(await threads.count(foreigner)).toBe(0);
        expect(await threads.find(foreigner, "t1")).toBeUndefined();
        expect(await threads.rename(foreigner, "t1", "Чужой", "visitor")).toBe(false);
        expect(await threads.rename(foreigner, "t1", "Чужой", "model")).toBe(false);
        expect(await threads.archive(foreigner, "t1", time(9))).toBeUndefined();
        await threads.setHead(foreigner, "t1", "q1");
        expect(await threads.find(anna, "t1")).toEqual(before);
      },
    );
  });
}
