import { describe, expect, it } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import { follow } from "./events.contract.ts";
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

export function runsContract(open: OpenStorage): void {
  describe("runs", () => {
    const storage = storageForEach(open);

    it.each([
      ["at once", submit],
      ["with a limit", (n: number) => ({ ...submit(n), limit: 9 })],
      ["again", regenerate],
    ])("begins %s without moving the thread back in time, by a clock that is behind", async (_, options) => {
      const { runs, threads } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.end("run1", answer(1, "Да"), time(30));
      const next = options === regenerate ? { ...run(1), runId: "run2", answerId: "a2" } : run(2);
      const asked = options === regenerate ? question(1) : question(2, "a1");
      expect((await runs.begin(anna, next, asked, options(20))).outcome).toBe("begun");
      expect(await threads.find(anna, "t1")).toMatchObject({ updatedAt: time(30), headId: "a2" });
      await runs.end("run2", answer(2, "Да"), time(25));
      expect((await threads.find(anna, "t1"))?.updatedAt).toBe(time(30));
      await runs.begin(anna, run(3), question(3, "a2"), options === regenerate ? submit(40) : options(40));
      expect((await threads.find(anna, "t1"))?.updatedAt).toBe(time(40));
    });

    it("stores the question and an empty running answer, bumps the thread, and makes the answer its head", async () => {
      const { threads, runs } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      const begun = await runs.begin(anna, run(1), question(1), submit(5));
      const stored = { ...run(1), status: "running", startedAt: time(5), checkpointSeq: 0 };
      expect(begun).toEqual({ outcome: "begun", run: stored });
      expect(await storage.runOf(1)).toEqual(stored);
      expect(await runs.findRunning(anna, "t1")).toEqual(stored);
      expect((await runs.standing(anna, "t1", "q1"))?.asked).toEqual(stored);
      expect(await threads.find(anna, "t1")).toEqual({ threadId: "t1", updatedAt: time(5), headId: "a1" });
      expect(await storage.messagesOf(anna, "t1")).toEqual([
        { ...question(1), createdAt: time(5) },
        { id: "a1", role: "assistant", content: [], parentId: "q1", createdAt: time(5), status: { type: "running" } },
      ]);
    });

    it("is known for a question with a run, while it is running and after", async () => {
      const { runs } = storage.current;
      await storage.beginIn("t1", 1);
      const again = { ...run(1), runId: "run2", answerId: "a2" };
      const changed = { ...question(1), content: "Другое" };
      expect(await runs.begin(anna, again, changed, submit(2))).toEqual({
        outcome: "known",
        run: await storage.runOf(1),
      });
      await runs.end("run1", answer(1, "Ответ"), time(3));
      expect(await runs.begin(anna, again, changed, submit(4))).toEqual({
        outcome: "known",
        run: await storage.runOf(1),
      });
      expect((await storage.messagesOf(anna, "t1")).map(({ content }) => content)).toEqual([
        "Вопрос 1",
        [{ type: "text", text: "Ответ" }],
      ]);
    });

    it("is busy for another question, and for the same question's regeneration, until the run has ended", async () => {
      const { runs } = storage.current;
      await storage.beginIn("t1", 1);
      const busy = { outcome: "busy", run: await storage.runOf(1) };
      expect(await runs.begin(anna, run(2), question(2), submit(2))).toEqual(busy);
      const again = { ...run(1), runId: "run3", answerId: "a3" };
      expect(await runs.begin(anna, again, question(1), regenerate(2))).toEqual(busy);
      await runs.end("run1", answer(1, "Ответ"), time(3));
      expect((await runs.begin(anna, again, question(1), regenerate(4))).outcome).toBe("begun");
      expect((await runs.standing(anna, "t1", "q1"))?.asked?.runId).toBe("run3");
    });

    it("begins one of many concurrent runs of one question; the others are known", async () => {
      const { threads, runs } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          runs.begin(anna, { ...run(1), runId: `run${n}`, answerId: `a${n}` }, question(1), submit(1)),
        ),
      );
      const begun = outcomes.filter(({ outcome }) => outcome === "begun");
      const known = outcomes.filter(({ outcome }) => outcome === "known");
      expect([begun.length, known.length]).toEqual([1, 7]);
      const running = await runs.findRunning(anna, "t1");
      expect(outcomes.map((outcome) => "run" in outcome && outcome.run.runId)).toEqual(
        outcomes.map(() => running?.runId),
      );
      expect(await storage.messagesOf(anna, "t1")).toHaveLength(2);
    });

    it("begins one of many concurrent questions; the others are busy", async () => {
      const { threads, runs } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, n) => runs.begin(anna, run(n), question(n), submit(1))),
      );
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([
        "begun",
        ...Array.from({ length: 7 }, () => "busy"),
      ]);
      expect(await storage.messagesOf(anna, "t1")).toHaveLength(2);
    });

    it("enforces an owner's limit over all threads under concurrency", async () => {
      const { threads, runs } = storage.current;
      for (let n = 0; n < 8; n += 1) await threads.create(anna, { threadId: `t${n}`, updatedAt: time(0) });
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, n) => runs.begin(anna, run(n, `t${n}`), question(n), { ...submit(1), limit: 3 })),
      );
      expect(outcomes.filter(({ outcome }) => outcome === "begun")).toHaveLength(3);
      expect(outcomes.filter(({ outcome }) => outcome === "full")).toEqual(
        Array.from({ length: 5 }, () => ({ outcome: "full", running: 3 })),
      );
      expect(await runs.countRunning(anna)).toBe(3);
      expect(await runs.countRunning({ ...anna, projectId: "blog" })).toBe(0);
    });

    it("returns what is missing, and then stores nothing", async () => {
      const { threads, runs } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      const begin = (threadId: string, parentId: string | null, options: ReturnType<typeof submit>) =>
        runs.begin(anna, run(1, threadId), question(1, parentId), options);
      expect(await begin("t2", null, submit(1))).toEqual({ outcome: "missing", what: "thread" });
      expect(await begin("t1", "a7", submit(1))).toEqual({ outcome: "missing", what: "parent" });
      expect(await begin("t1", null, regenerate(1))).toEqual({ outcome: "missing", what: "question" });
      expect(await storage.runOf(1)).toBeUndefined();
      await threads.archive(anna, "t1", time(2));
      expect(await begin("t1", null, submit(3))).toEqual({ outcome: "missing", what: "thread" });
      expect((await storage.exportOf(anna)).threads).toMatchObject([{ threadId: "t1", messages: [] }]);
    });

    it("refuses ids of other messages of the thread", async () => {
      const { runs } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.end("run1", answer(1, "Ответ"), time(2));
      const asAnswer = { ...question(2), id: "a1" };
      expect(await runs.begin(anna, { ...run(2), questionId: "a1" }, asAnswer, submit(3))).toEqual({
        outcome: "taken",
      });
      expect(await runs.begin(anna, { ...run(2), answerId: "a1" }, question(2), submit(3))).toEqual({
        outcome: "taken",
      });
      expect(await runs.begin(anna, { ...run(2), answerId: "q2" }, question(2), submit(3))).toEqual({
        outcome: "taken",
      });
    });

    it("shows the last checkpoint of an answer while it is being written", async () => {
      const { runs, messages, threads } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.checkpoint("run1", answer(1, "Нача", { type: "running" }), 7);
      expect(await messages.find(anna, "t1", "a1")).toEqual({
        ...answer(1, "Нача", { type: "running" }),
        createdAt: time(1),
      });
      expect((await storage.runOf(1))?.checkpointSeq).toBe(7);
      expect((await threads.find(anna, "t1"))?.updatedAt).toBe(time(1));
    });

    it("stores the last of many checkpoints of each run at once, and skips ended runs", async () => {
      const { runs, messages } = storage.current;
      for (let n = 1; n <= 5; n += 1) await storage.beginIn(`t${n}`, n);
      await runs.end("run2", answer(2, "Всё"), time(8));
      const checkpoint = (n: number, text: string, seq: number) =>
        runs.checkpoint(`run${n}`, answer(n, text, { type: "running" }), seq);
      await Promise.all([1, 2, 3, 4, 5].map((n) => checkpoint(n, `Нача${n}`, n)));
      await Promise.all([checkpoint(1, "Начал", 6), checkpoint(1, "Начало", 7), checkpoint(7, "Ничей", 1)]);
      const texts = await Promise.all(
        [1, 2, 3, 4, 5].map(async (n) => (await messages.find(anna, `t${n}`, `a${n}`))?.content),
      );
      expect(texts).toEqual(["Начало", "Всё", "Нача3", "Нача4", "Нача5"].map((text) => [{ type: "text", text }]));
      expect((await storage.runOf(1))?.checkpointSeq).toBe(7);
      expect((await storage.runOf(3, "t3"))?.checkpointSeq).toBe(3);
    });

    it("ends once: later ends and checkpoints change nothing", async () => {
      const { runs, messages, threads } = storage.current;
      await storage.beginIn("t1", 1);
      expect(await runs.end("run1", answer(1, "Ответ"), time(3))).toBe(true);
      const cancelled = answer(1, "Иной", { type: "incomplete", reason: "cancelled" });
      expect(await runs.end("run1", cancelled, time(4))).toBe(false);
      await runs.checkpoint("run1", answer(1, "Иной", { type: "running" }), 9);
      expect(await messages.find(anna, "t1", "a1")).toEqual({ ...answer(1, "Ответ"), createdAt: time(1) });
      expect(await storage.runOf(1)).toEqual({
        ...run(1),
        status: "complete",
        startedAt: time(1),
        endedAt: time(3),
        checkpointSeq: 0,
      });
      expect(await runs.findRunning(anna, "t1")).toBeUndefined();
      expect((await threads.find(anna, "t1"))?.updatedAt).toBe(time(3));
    });

    it("does not set a thread's time back", async () => {
      const { runs, threads } = storage.current;
      await storage.beginIn("t1", 5);
      await runs.end("run5", answer(5, "Ответ"), time(3));
      expect((await threads.find(anna, "t1"))?.updatedAt).toBe(time(5));
    });

    it("stores one of several concurrent ends", async () => {
      const { runs } = storage.current;
      await storage.beginIn("t1", 1);
      const ends = await Promise.all(
        Array.from({ length: 6 }, (_, n) => runs.end("run1", answer(1, `Ответ ${n}`), time(2))),
      );
      expect(ends.filter(Boolean)).toHaveLength(1);
    });

    it("appends the rest of the log with the end, and no event twice", async () => {
      const { runs, events } = storage.current;
      await storage.beginIn("t1", 1);
      const all = [1, 2, 3, 4, 5].map((seq) => delta(1, seq, String(seq)));
      await events.append(all.slice(0, 3));
      const log = { seq: 5, tail: all.slice(1), instanceId: "here" };
      const followed = follow(storage.current, "run1");
      expect(await runs.end("run1", answer(1, "12345"), time(3), { log })).toBe(true);
      expect(await events.read("run1", 0)).toEqual(all);
      await eventually(() => expect(followed.ends).toEqual(["whole"]));
      expect(followed.events).toEqual(all);
      expect((await storage.runOf(1))?.checkpointSeq).toBe(5);
    });

    it("ends many runs at once, each with its own answer, and skips unknown and ended ones", async () => {
      const { runs, messages } = storage.current;
      const ids = Array.from({ length: 40 }, (_, n) => n + 1);
      for (const n of ids) await storage.beginIn(`t${n}`, n);
      await runs.end("run3", answer(3, "Раньше"), time(2));
      const ended = await Promise.all(
        [...ids, 77].map((n) =>
          runs.end(`run${n}`, answer(n, `Ответ ${n}`), time(3), {
            log: { seq: 1, tail: [delta(n, 1, `Ответ ${n}`)], instanceId: "here" },
          }),
        ),
      );
      expect(ended).toEqual([...ids, 77].map((n) => n !== 3 && n !== 77));
      for (const n of ids) {
        expect((await messages.find(anna, `t${n}`, `a${n}`))?.content).toEqual([
          { type: "text", text: n === 3 ? "Раньше" : `Ответ ${n}` },
        ]);
      }
    });

    it("stores the answer under the id that the run began with", async () => {
      const { runs } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.end("run1", { ...answer(1, "Ответ"), id: "renamed" }, time(3));
      expect((await storage.messagesOf(anna, "t1")).map(({ id }) => id)).toEqual(["q1", "a1"]);
    });

    it("returns false at the end of an unknown run", async () => {
      expect(await storage.current.runs.end("unknown", answer(1, "Ответ"), time(3))).toBe(false);
    });

    it.each(foreigners)("begins and shows nothing for $visitorId of $projectId", async (foreigner) => {
      const { runs } = storage.current;
      await storage.beginIn("t1", 1);
      expect(await runs.begin(foreigner, run(2), question(2), submit(2))).toEqual({
        outcome: "missing",
        what: "thread",
      });
      expect(await runs.begin(foreigner, run(1), question(1), submit(2))).toEqual({
        outcome: "missing",
        what: "thread",
      });
      expect(await runs.findRunning(foreigner, "t1")).toBeUndefined();
      expect((await runs.standing(foreigner, "t1", "q1"))?.asked).toBeUndefined();
      expect(await runs.countRunning(foreigner)).toBe(0);
      expect(await storage.messagesOf(anna, "t1")).toHaveLength(2);
    });
  });
}
