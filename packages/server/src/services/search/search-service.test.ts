import type { Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import {
  allOf,
  anna,
  answer,
  foreigners,
  named,
  question,
  regenerate,
  run,
  storageForEach,
  submit,
  time,
} from "../../storage/contract/fixture.contract.ts";
import type { OpenStorage } from "../../storage/contract/fixture.contract.ts";
import { postgresForFile } from "../../storage/contract/postgres-for-file.contract.ts";
import { openPostgresStorage } from "../../storage/postgres.ts";
import { openSqliteStorage } from "../../storage/sqlite.ts";
import { createSearchService } from "./search-service.ts";

describe("on SQLite", () => {
  searches(() => openSqliteStorage({ path: ":memory:" }));
});

describe("on Postgres", () => {
  const postgres = postgresForFile();
  searches(async () => openPostgresStorage({ url: await postgres.createMigrated(), instanceId: "a", connections: 4 }));
});

function searches(open: OpenStorage): void {
  describe("the search of a visitor's threads", () => {
    const storage = storageForEach(open);

    /** The ids of Anna's threads with these words, best first. */
    const found = async (query: string, owner = anna) =>
      (await createSearchService(storage.current).find(owner, query)).map(({ threadId }) => threadId);

    /** A thread with one question and its answer. */
    async function said(n: number, asked: Message["content"], answered: Message["content"], title?: string) {
      const { threads, runs } = storage.current;
      await threads.create(anna, { threadId: `t${n}`, ...(title !== undefined && { title }), updatedAt: time(n) });
      await runs.begin(anna, run(n, `t${n}`), { ...question(n), content: asked }, submit(n));
      await runs.end(`run${n}`, { ...answer(n, ""), content: answered }, time(n));
    }

    it("finds all words in any form, in title and messages together, and the last one by its prefix", async () => {
      await said(1, "Как вернуть товар?", "Возврат занимает 14 дней", "Заказ из Ёлкино");
      await said(2, "Где мой заказ?", "Running late");
      expect(await found("товары")).toEqual(["t1"]);
      expect(await found("елкино возврата товаром")).toEqual(["t1"]);
      expect(await found("заказы")).toEqual(["t1", "t2"]);
      expect(await found("runs")).toEqual(["t2"]);
      expect(await found("late runni")).toEqual(["t2"]);
      expect(await found("runni late")).toEqual([]);
      expect(await found("возвр")).toEqual(["t1"]);
      expect(await found("зак до")).toEqual([]);
      expect(await found("товар running")).toEqual([]);
    });

    it("returns the best first: words in the title, then together in a message, then the newest; at most 50", async () => {
      await said(1, "чай и мёд", "да", "Чай с мёдом");
      await said(2, "чай", "мёд");
      await said(3, "мёд в чай", "нет");
      await said(4, "мёд", "чай");
      expect(await found("чай мёд")).toEqual(["t1", "t3", "t4", "t2"]);
      for (let n = 10; n < 65; n += 1) await said(n, "сахар", "соль", n === 10 ? "Сахар" : "Разное");
      const sweet = await found("сахар");
      expect(sweet).toHaveLength(50);
      expect(sweet.slice(0, 3)).toEqual(["t10", "t64", "t63"]);
    });

    it("treats punctuation, quotes and operators as plain text", async () => {
      await said(1, `it's "чай" AND C++ NEAR(кот) a:b* (x|y) & user@example.org ~ 東京天気 \u0000 🎉`, "ок");
      for (const query of [
        "it's",
        `"чай"`,
        "AND",
        "NEAR(кот",
        "c++",
        "a:b*",
        "(x|y) &",
        "!кот",
        "user@example.org",
        "東京",
        "-чай",
        "^чай",
        "'чай' & ",
        "чай\\",
        "чай\u0000",
        "\ud800чай",
        "🎉 чай",
      ]) {
        expect([query, await found(query)]).toEqual([query, ["t1"]]);
      }
      for (const query of ["🎉", "!?…", `"`, "\u0000"]) expect([query, await found(query)]).toEqual([query, []]);
      for (const query of ["чай OR собака", "words:чай"]) expect([query, await found(query)]).toEqual([query, []]);
    });

    it("includes changes: a question, its answer, another answer, a title", async () => {
      const { threads, runs } = storage.current;
      await said(1, "первый", "второй", "Название");
      expect(await found("первый второй название")).toEqual(["t1"]);
      // With a clock that stands still.
      await runs.begin(anna, run(2), { ...question(2, "a1"), content: "третий" }, submit(1));
      expect(await found("третий")).toEqual(["t1"]);
      await runs.end("run2", answer(2, "четвёртый"), time(1));
      expect(await found("четвертый первый")).toEqual(["t1"]);
      await runs.begin(anna, { ...run(3), questionId: "q2" }, question(2), regenerate(1));
      await runs.end("run3", { ...answer(3, "пятый"), parentId: "q2" }, time(1));
      expect(await found("четвертый пятый")).toEqual(["t1"]);
      await threads.rename(anna, "t1", "Иначе", "visitor");
      expect(await found("название")).toEqual([]);
      expect(await found("иначе пятый")).toEqual(["t1"]);
    });

    it("includes an answer that replaced an interrupted one, but never one that is being written", async () => {
      const { runs } = storage.current;
      await storage.beginIn("t1", 1, "here");
      const written = answer(1, "пишется", { type: "running" });
      await runs.checkpoint("run1", written, 1);
      expect(await found("пишется")).toEqual([]);
      await runs.end("run1", answer(1, "обрывок", { type: "incomplete", reason: "interrupted" }), time(3));
      expect(await found("обрывок")).toEqual(["t1"]);
      const log = { instanceId: "here", seq: 2, tail: [] };
      expect(await runs.end("run1", answer(1, "целое"), time(2), { log })).toBe(true);
      expect(await found("целое")).toEqual(["t1"]);
    });

    it("searches neither reasoning, tool calls, sources nor files", async () => {
      await said(1, "привет", [
        { type: "reasoning", text: "размышление" },
        { type: "tool-call", toolCallId: "c1", toolName: "lookup", argsText: '{"q":"аргумент"}', result: "итог" },
        { type: "source", sourceType: "url", id: "1", url: "https://example.org/", title: "источник" },
        { type: "text", text: "ответ" },
      ]);
      expect(await found("ответ")).toEqual(["t1"]);
      for (const word of ["размышление", "lookup", "аргумент", "итог", "источник"])
        expect(await found(word)).toEqual([]);
    });

    it("covers only the owner's threads, follows a claim, and leaves out archived threads until they are restored", async () => {
      const { threads, visitors } = storage.current;
      await said(1, "тайна", "ответ");
      expect(await found("тайна")).toEqual(["t1"]);
      for (const owner of foreigners) expect(await found("тайна", owner)).toEqual([]);
      await visitors.claim(anna, named.visitorId);
      expect([await found("тайна"), await found("тайна", named)]).toEqual([[], ["t1"]]);
      await threads.archive(named, "t1", time(5));
      expect(await found("тайна", named)).toEqual([]);
      await threads.restore(named, "t1", time(0));
      expect(await found("тайна", named)).toEqual(["t1"]);
      await visitors.purge(named);
      expect(await found("тайна", named)).toEqual([]);
    });

    it("forgets what is erased and expired", async () => {
      await said(1, "один", "ответ");
      await said(2, "два", "ответ");
      expect(await found("ответ")).toEqual(["t2", "t1"]);
      await allOf(storage.current.visitors.expire("shop", time(2)));
      expect(await found("ответ")).toEqual(["t2"]);
      expect(await found("один")).toEqual([]);
    });
  });
}
