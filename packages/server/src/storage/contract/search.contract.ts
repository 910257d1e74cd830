import { describe, expect, it } from "vitest";
import type { SoughtWord } from "../search.ts";
import { anna, answer, boris, question, run, storageForEach, submit, time } from "./fixture.contract.ts";
import type { OpenStorage } from "./fixture.contract.ts";

export function searchContract(open: OpenStorage): void {
  describe("the words of a visitor's threads", () => {
    const storage = storageForEach(open);

    /** Stores the words of messages and titles, in their written form. */
    async function readAll(owner = anna): Promise<void> {
      for (let next: string | undefined = ""; next !== undefined;) {
        const batch = await storage.current.search.unread(owner, next);
        await storage.current.search.keep(
          owner,
          batch.threads.map(({ messages, title = "", ...thread }) => ({
            ...thread,
            ...(title !== "" && { title }),
            words: new Map([
              ...thread.words,
              ...title.split(" ").flatMap((word) => [[word, 0] as const, [`^${word}`, 0] as const]),
              ...messages.flatMap(({ content, position }) => words(content).map((word) => [word, position] as const)),
            ]),
          })),
        );
        ({ next } = batch);
      }
    }

    const words = (content: unknown) => JSON.stringify(content).match(/[а-яё']+/g) ?? [];
    const exactly = (...sought: readonly string[]) => sought.map((word): SoughtWord => ({ word, beginnings: [] }));
    const hits = async (sought: readonly SoughtWord[], { owner = anna, limit = 10 } = {}) =>
      (await storage.current.search.find(owner, sought, limit))
        .toSorted((one, other) => (one.thread.threadId < other.thread.threadId ? -1 : 1))
        .map(({ thread, inTitle, together, message }) => [thread.threadId, inTitle, together, message?.content]);

    async function said(n: number, asked: string, answered: string, title?: string): Promise<void> {
      const { threads, runs } = storage.current;
      await threads.create(anna, { threadId: `t${n}`, ...(title !== undefined && { title }), updatedAt: time(n) });
      await runs.begin(anna, run(n, `t${n}`), { ...question(n), content: asked }, submit(n));
      await runs.end(`run${n}`, answer(n, answered), time(n));
    }

    it("are found with the message that contains most of them, and with the number in the title", async () => {
      await said(1, "чай", "чай и мёд", "мёд");
      await said(2, "чай", "мёд");
      await readAll();
      expect(await hits(exactly("чай", "мёд"))).toEqual([
        ["t1", 1, 2, [{ type: "text", text: "чай и мёд" }]],
        ["t2", 0, 1, [{ type: "text", text: "мёд" }]],
      ]);
      expect(await hits([{ word: "и", beginnings: ["мё"] }])).toHaveLength(2);
      expect(await hits(exactly("чай", "кофе"))).toEqual([]);
      expect(await hits(exactly("чай"), { owner: boris })).toEqual([]);
    });

    it("find the newest threads, and the newest with one of them in the title", async () => {
      for (let n = 1; n <= 6; n += 1) await said(n, "чай", "да", n < 3 ? "чай" : "другое");
      await readAll();
      expect((await hits(exactly("чай"), { limit: 2 })).map(([id]) => id)).toEqual(["t1", "t2", "t5", "t6"]);
    });

    it("are not stored for a thread that was renamed or archived while it was read", async () => {
      const { search, threads } = storage.current;
      await said(1, "первый", "ответ", "старое");
      await said(2, "второй", "ответ");
      const { threads: read } = await search.unread(anna, "");
      await threads.rename(anna, "t1", "новое", "visitor");
      await threads.archive(anna, "t2", time(9));
      await search.keep(
        anna,
        read.map((each) => Object.assign(each, { words: new Map([["старое", 0]]) })),
      );
      expect(await hits(exactly("старое"))).toEqual([]);
      await readAll();
      expect(await hits(exactly("новое"))).toEqual([["t1", 1, 0, undefined]]);
    });

    it("are read in parts of a long thread, each message once", async () => {
      const { search, runs } = storage.current;
      await said(1, "начало", "ответ");
      for (let n = 2; n <= 130; n += 1) {
        await runs.begin(anna, run(n), { ...question(n, `a${n - 1}`), content: "середина" }, submit(n));
        await runs.end(`run${n}`, answer(n, n === 130 ? "конец" : "ответ"), time(n));
      }
      await said(200, "другой", "ответ");
      const { threads: part, next } = await search.unread(anna, "");
      expect([part.map(({ threadId, isWhole, position }) => [threadId, isWhole, position]), next]).toEqual([
        [["t1", false, 200]],
        "",
      ]);
      await readAll();
      expect((await hits(exactly("начало", "середина", "конец"))).map(([id]) => id)).toEqual(["t1"]);
      expect((await hits(exactly("другой"))).map(([id]) => id)).toEqual(["t200"]);
      expect(await search.unread(anna, "")).toEqual({ threads: [], next: undefined });
    });
  });
}
