import { describe, expect, it } from "vitest";
import type { Message, Part } from "@nitka/protocol";
import type { OpenStorage } from "./fixture.contract.ts";
import {
  anna,
  answer,
  delta,
  foreigners,
  question,
  regenerate,
  run,
  storageForEach,
  submit,
  time,
} from "./fixture.contract.ts";

/** One part of each kind. */
const parts: readonly Part[] = [
  { type: "reasoning", text: "Думаю" },
  { type: "text", text: "Привет, **мир** 🧵" },
  { type: "image", image: "data:image/png;base64,AA==" },
  { type: "file", url: "files/1", mimeType: "text/plain", filename: "a.txt" },
  { type: "audio", audio: { data: "AA==", format: "wav" } },
  { type: "source", sourceType: "url", id: "s1", url: "https://example.org/", title: "Пример" },
  { type: "tool-call", toolCallId: "c1", toolName: "weather", argsText: "{}", args: {}, result: { ok: [1, null] } },
];

export function messagesContract(open: OpenStorage): void {
  describe("messages", () => {
    const storage = storageForEach(open);

    it("returns every kind of part as it was stored", async () => {
      await storage.beginIn("t1", 1);
      const whole: Message = { ...answer(1, ""), content: parts, createdAt: time(1) };
      await storage.current.runs.end("run1", whole, time(2));
      expect(await storage.current.messages.find(anna, "t1", "a1")).toEqual(whole);
    });

    it("returns a question with its attachments, and string content as a string", async () => {
      const { threads, runs, messages } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      const attachment = {
        id: "f1",
        type: "image",
        name: "Кот.png",
        contentType: "image/png",
        size: 3,
        url: "u",
      } as const;
      const asked: Message = { ...question(1), attachments: [attachment], createdAt: time(1) };
      await runs.begin(anna, run(1), asked, submit(1));
      expect(await messages.find(anna, "t1", "q1")).toEqual(asked);
    });

    it("stores every status of an answer with its reason and error", async () => {
      const { runs, messages } = storage.current;
      await storage.beginIn("t1", 1);
      const failed = answer(1, "Начал", { type: "incomplete", reason: "error", error: "Сломалось\0", code: "empty" });
      await runs.end("run1", failed, time(2));
      expect((await messages.find(anna, "t1", "a1"))?.status).toEqual({
        type: "incomplete",
        reason: "error",
        error: "Сломалось",
        code: "empty",
      });
      await runs.begin(anna, { ...run(1), runId: "run2", answerId: "a2" }, question(1), regenerate(3));
      await runs.end("run2", answer(2, "Начал", { type: "incomplete", reason: "cancelled" }), time(4));
      expect((await messages.find(anna, "t1", "a2"))?.status).toEqual({ type: "incomplete", reason: "cancelled" });
    });

    it("removes NUL and lone surrogates from content at any depth", async () => {
      const { runs, messages } = storage.current;
      await storage.beginIn("t1", 1);
      const unclean: Message = {
        ...answer(1, "a\0b\uD83D"),
        content: [
          { type: "text", text: "a\0b\uD83D и \\u0000" },
          { type: "tool-call", toolCallId: "c", toolName: "t", argsText: "", result: { "k\0": ["\uDE00", 1] } },
        ],
      };
      await runs.end("run1", unclean, time(2));
      expect((await messages.find(anna, "t1", "a1"))?.content).toEqual([
        { type: "text", text: "ab\uFFFD и \\u0000" },
        { type: "tool-call", toolCallId: "c", toolName: "t", argsText: "", result: { k: ["\uFFFD", 1] } },
      ]);
    });

    it("lists every branch, parents before children, in the order of insertion", async () => {
      const { runs } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.end("run1", answer(1, "Первый"), time(2));
      await runs.begin(anna, run(2), question(2, "a1"), submit(3));
      await runs.end("run2", answer(2, "Второй"), time(4));
      await runs.begin(anna, { ...run(1), runId: "run3", answerId: "a3" }, question(1), regenerate(5));
      await runs.end("run3", answer(3, "Первый заново"), time(6));
      const listed = await storage.messagesOf(anna, "t1");
      expect(listed.map(({ id, parentId }) => [id, parentId])).toEqual([
        ["q1", null],
        ["a1", "q1"],
        ["q2", "a1"],
        ["a2", "q2"],
        ["a3", "q1"],
      ]);
    });

    it("lists the end of the shown branch last, whichever message of the branch is the head", async () => {
      const { runs, threads } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.end("run1", answer(1, "Первый"), time(2));
      await runs.begin(anna, run(2), question(2, "a1"), submit(3));
      await runs.end("run2", answer(2, "Второй"), time(4));
      await runs.begin(anna, { ...run(1), runId: "run3", answerId: "a3" }, question(1), regenerate(5));
      await runs.end("run3", answer(3, "Первый заново"), time(6));
      const ids = async () => (await storage.messagesOf(anna, "t1")).map(({ id }) => id);
      await threads.setHead(anna, "t1", "a2");
      expect(await ids()).toEqual(["q1", "a1", "q2", "a3", "a2"]);
      await threads.setHead(anna, "t1", "a1");
      expect(await ids()).toEqual(["q1", "a1", "q2", "a3", "a2"]);
      await threads.setHead(anna, "t1", "unknown");
      expect(await ids()).toEqual(["q1", "a1", "q2", "a3", "a2"]);
      await threads.setHead(anna, "t1", "a3");
      expect(await ids()).toEqual(["q1", "a1", "q2", "a2", "a3"]);
    });

    it("returns the tree in the same order with the size of each message, and reads some of the messages", async () => {
      const { runs, messages, threads } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.end("run1", answer(1, "Первый"), time(2));
      await runs.begin(anna, { ...run(1), runId: "run2", answerId: "a2" }, question(1), regenerate(3));
      await threads.setHead(anna, "t1", "a1");
      const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
      expect(await messages.tree(anna, "t1")).toEqual([
        { id: "q1", parentId: null, role: "user", bytes: bytesOf("Вопрос 1") },
        { id: "a2", parentId: "q1", role: "assistant", bytes: bytesOf([]) },
        { id: "a1", parentId: "q1", role: "assistant", bytes: bytesOf(answer(1, "Первый").content) },
      ]);
      const read = await messages.read(anna, "t1", ["a1", "unknown", "q1"]);
      expect(read).toEqual([await messages.find(anna, "t1", "q1"), await messages.find(anna, "t1", "a1")]);
    });

    it.each([
      ["short", "Вопрос"],
      ["of a million characters", "🧵".repeat(1_000_000)],
      ["long", `🧵${"a".repeat(2_500_000)}`],
    ])("gives a question that is %s as JSON in pieces of bounded size", async (_, content) => {
      const { threads, runs, messages } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      const url = `data:text/plain;base64,${"QUJD".repeat(400_000)}`;
      const file = { id: "f1", type: "document", name: "a", contentType: "text/plain", size: 9, url } as const;
      await runs.begin(anna, run(1), { ...question(1), content, attachments: [file], createdAt: time(1) }, submit(1));
      const pieces: string[] = [];
      for await (const piece of messages.text(anna, "t1", "q1")) pieces.push(piece);
      expect(JSON.parse(pieces.join(""))).toEqual(await messages.find(anna, "t1", "q1"));
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2_000_001);
    });

    it("stores suggestions: those that the answer ended with, and those that are made later", async () => {
      const { runs, messages } = storage.current;
      await storage.beginIn("t1", 1);
      const suggestions = [{ title: "Дальше\0", prompt: "Что дальше?" }];
      await runs.end("run1", { ...answer(1, "Да"), suggestions }, time(2));
      const clean = [{ title: "Дальше", prompt: "Что дальше?" }];
      expect(await messages.find(anna, "t1", "a1")).toMatchObject({
        content: answer(1, "Да").content,
        suggestions: clean,
      });
      const later = [{ title: "Ещё", prompt: "А ещё?" }];
      expect(await messages.suggest(anna, "t1", "a1", later)).toBe(true);
      expect((await messages.find(anna, "t1", "a1"))?.suggestions).toEqual(later);
      expect(await messages.suggest(anna, "t1", "a1", [])).toBe(true);
      expect(await messages.find(anna, "t1", "a1")).not.toHaveProperty("suggestions");
      expect([
        await messages.suggest(anna, "t1", "q1", later),
        await messages.suggest(anna, "t1", "no", later),
      ]).toEqual([false, false]);
    });

    it("stores no suggestions after an answer that the thread has moved on from", async () => {
      const { runs, messages, threads } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.end("run1", answer(1, "Да"), time(2));
      const suggestions = [{ title: "Дальше", prompt: "Что дальше?" }];
      await runs.begin(anna, run(2), question(2, "a1"), submit(3));
      expect(await messages.suggest(anna, "t1", "a1", suggestions)).toBe(false);
      await threads.setHead(anna, "t1", "a1");
      await threads.archive(anna, "t1", time(4));
      expect(await messages.suggest(anna, "t1", "a1", suggestions)).toBe(false);
    });

    it("keeps suggestions in a checkpoint and in an answer that is interrupted", async () => {
      const { runs, events, messages } = storage.current;
      await storage.beginIn("t1", 1);
      const suggestions = [{ title: "Дальше", prompt: "Что дальше?" }];
      await runs.checkpoint("run1", { ...answer(1, "Д", { type: "running" }), suggestions }, 1);
      expect(await messages.find(anna, "t1", "a1")).toMatchObject({ suggestions });
      await events.append([
        delta(1, 1, "Да"),
        { runId: "run1", seq: 2, data: JSON.stringify({ type: "data-suggestions", data: { suggestions } }) },
      ]);
      await runs.interrupt(["run1"], time(2));
      expect(await messages.find(anna, "t1", "a1")).toMatchObject({ suggestions, status: { reason: "interrupted" } });
    });

    it("stores, replaces and removes the visitor's feedback on an answer, also while it is being written", async () => {
      const { runs, messages } = storage.current;
      await storage.beginIn("t1", 1);
      expect(await messages.rate(anna, "t1", "a1", { rating: "down", reason: "Не\0 то" })).toEqual({
        outcome: "rated",
        before: null,
      });
      await runs.end("run1", answer(1, "Да"), time(2));
      const feedback = async () => (await messages.find(anna, "t1", "a1"))?.feedback;
      expect(await feedback()).toEqual({ rating: "down", reason: "Не то" });
      expect(await messages.rate(anna, "t1", "a1", { rating: "up" })).toEqual({ outcome: "rated", before: "down" });
      expect(await feedback()).toEqual({ rating: "up" });
      expect((await storage.messagesOf(anna, "t1")).at(-1)?.feedback).toEqual({ rating: "up" });
      expect((await storage.exportOf(anna)).threads[0]).toMatchObject({
        messages: [{ id: "q1" }, { id: "a1", feedback: { rating: "up" } }],
      });
      expect(await messages.rate(anna, "t1", "a1", null)).toEqual({ outcome: "rated", before: "up" });
      expect(await messages.find(anna, "t1", "a1")).not.toHaveProperty("feedback");
      expect(await messages.rate(anna, "t1", "q1", { rating: "up" })).toEqual({ outcome: "question" });
      expect(await messages.rate(anna, "t1", "no", { rating: "up" })).toEqual({ outcome: "missing" });
    });

    it("distinguishes the same ids in different threads", async () => {
      const { messages } = storage.current;
      await storage.beginIn("t1", 1);
      await storage.current.threads.create(anna, { threadId: "t2", updatedAt: time(0) });
      const other = { ...run(1, "t2"), runId: "run2" };
      const { outcome } = await storage.current.runs.begin(anna, other, { ...question(1), content: "Иной" }, submit(2));
      expect(outcome).toBe("begun");
      expect((await messages.find(anna, "t1", "q1"))?.content).toBe("Вопрос 1");
      expect((await messages.find(anna, "t2", "q1"))?.content).toBe("Иной");
    });

    it.each(foreigners)("shows nothing to $visitorId of $projectId", async (foreigner) => {
      await storage.beginIn("t1", 1);
      expect(await storage.messagesOf(foreigner, "t1")).toEqual([]);
      expect(await storage.current.messages.tree(foreigner, "t1")).toEqual([]);
      expect(await storage.current.messages.read(foreigner, "t1", ["q1"])).toEqual([]);
      expect(await storage.current.messages.find(foreigner, "t1", "q1")).toBeUndefined();
      for await (const _ of storage.current.messages.text(foreigner, "t1", "q1")) expect.unreachable();
      const { messages } = storage.current;
      expect(await messages.rate(foreigner, "t1", "a1", { rating: "up" })).toEqual({ outcome: "missing" });
      expect(await messages.rate(foreigner, "t1", "q1", { rating: "up" })).toEqual({ outcome: "missing" });
      expect(await messages.suggest(foreigner, "t1", "a1", [])).toBe(false);
    });
  });
}
