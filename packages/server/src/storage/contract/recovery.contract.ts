import { describe, expect, it } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import type { RunSignal } from "../storage.ts";
import { follow } from "./events.contract.ts";
import type { OpenStorage } from "./fixture.contract.ts";
import { allOf, anna, answer, delta, question, regenerate, run, storageForEach, time } from "./fixture.contract.ts";

const interrupted = { type: "incomplete", reason: "interrupted" } as const;

export function recoveryContract(open: OpenStorage): void {
  describe("recovery", () => {
    const storage = storageForEach(open);

    it("interrupts a run whose instance is silent, with the answer of its log", async () => {
      const { runs, events, messages, threads } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.heartbeat("here");
      await events.append([
        { runId: "run1", seq: 1, data: '{"type":"start","messageId":"a1"}' },
        delta(1, 2, "При"),
        delta(1, 3, "вет"),
      ]);
      const ended = { ...run(1), status: "incomplete", startedAt: time(1), endedAt: time(20), checkpointSeq: 3 };
      expect(await runs.interruptStale(0, time(20))).toEqual([ended]);
      expect(await storage.runOf(1)).toEqual(ended);
      expect(await messages.find(anna, "t1", "a1")).toEqual({
        ...answer(1, "Привет", interrupted),
        createdAt: time(1),
      });
      expect((await threads.find(anna, "t1"))?.updatedAt).toBe(time(1));
      expect(await runs.interruptStale(0, time(20))).toEqual([]);
    });

    it("folds the log from its beginning, also past a checkpoint in the middle of a text", async () => {
      const { runs, events, messages } = storage.current;
      await storage.beginIn("t1", 1);
      await events.append([{ runId: "run1", seq: 1, data: '{"type":"text-start","id":"0"}' }, delta(1, 2, "раз ")]);
      await runs.checkpoint("run1", answer(1, "раз ", { type: "running" }), 2);
      await events.append([delta(1, 3, "два")]);
      await runs.interruptStale(0, time(20));
      expect((await messages.find(anna, "t1", "a1"))?.content).toEqual([{ type: "text", text: "раз два" }]);
    });

    it("keeps the checkpoint when the log ends before it", async () => {
      const { runs, events, messages } = storage.current;
      await storage.beginIn("t1", 1);
      await events.append([delta(1, 1, "раз ")]);
      await runs.checkpoint("run1", answer(1, "раз два", { type: "running" }), 2);
      await runs.interruptStale(0, time(20));
      expect(await messages.find(anna, "t1", "a1")).toEqual({
        ...answer(1, "раз два", interrupted),
        createdAt: time(1),
      });
    });

    it("interrupts a run without any event too", async () => {
      const { runs, messages } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.interruptStale(0, time(20));
      expect(await messages.find(anna, "t1", "a1")).toEqual({
        ...answer(1, "", interrupted),
        content: [],
        createdAt: time(1),
      });
    });

    it("completes a run whose log has its finish", async () => {
      const { runs, events, messages } = storage.current;
      await storage.beginIn("t1", 1);
      await events.append([delta(1, 1, "Всё"), { runId: "run1", seq: 2, data: '{"type":"finish"}' }]);
      expect((await runs.interruptStale(0, time(20)))[0]?.status).toBe("complete");
      expect(await messages.find(anna, "t1", "a1")).toEqual({ ...answer(1, "Всё"), createdAt: time(1) });
    });

    it("does not interrupt runs that have just begun, whose instance is alive, or that have ended", async () => {
      const { runs } = storage.current;
      await storage.beginIn("t1", 1);
      await storage.beginIn("t2", 2);
      await runs.end("run2", answer(2, "Ответ"), time(3));
      expect(await runs.interruptStale(60_000, time(20))).toEqual([]);
      const interruptStale = async () => (await runs.interruptStale(400, time(20))).map(({ runId }) => runId);
      // It begins after the first one: when it is stale, only the heartbeat keeps the first one from being stale too.
      await storage.beginIn("t3", 3, "gone");
      const besideHeartbeats = async () => {
        await runs.heartbeat("here");
        return interruptStale();
      };
      await expect.poll(besideHeartbeats).toEqual(["run3"]);
      expect((await storage.runOf(1))?.status).toBe("running");
      await expect.poll(interruptStale).toEqual(["run1"]);
    });

    it("returns an instance its running runs, and interrupts only those that it names", async () => {
      const { runs } = storage.current;
      for (let n = 1; n <= 4; n += 1) await storage.beginIn(`t${n}`, n);
      await runs.end("run2", answer(2, "Ответ"), time(3));
      expect((await runs.heartbeat("here")).toSorted()).toEqual(["run1", "run3", "run4"]);
      expect(await runs.heartbeat("elsewhere")).toEqual([]);
      const interrupted = await runs.interrupt(["run1", "run2", "unknown"], time(20));
      expect(interrupted.map(({ runId, status }) => [runId, status])).toEqual([["run1", "incomplete"]]);
      expect((await storage.runOf(2, "t2"))?.status).toBe("complete");
      expect((await runs.heartbeat("here")).toSorted()).toEqual(["run3", "run4"]);
    });

    it("interrupts a part of many stale runs with each call, until none is left", async () => {
      const { runs } = storage.current;
      for (let n = 1; n <= 53; n += 1) await storage.beginIn(`t${n}`, n, `gone${n % 3}`);
      const parts: number[] = [];
      do parts.push((await runs.interruptStale(0, time(20))).length);
      while (parts.at(-1) !== 0);
      expect(parts).toEqual([50, 3, 0]);
    });

    it("closes the blocks that a log leaves open, for its followers, and only those", async () => {
      const { runs, events } = storage.current;
      await storage.beginIn("t1", 1);
      const log = [
        { type: "reasoning-start", id: "r1" },
        { type: "reasoning-end", id: "r1" },
        { type: "text-start", id: "t1" },
        { type: "reasoning-start", id: "t1" },
        { type: "text-delta", id: "t1", delta: "При" },
      ];
      await events.append(log.map((event, index) => ({ runId: "run1", seq: index + 1, data: JSON.stringify(event) })));
      const followed = follow(storage.current, "run1");
      expect((await runs.interruptStale(0, time(20)))[0]?.checkpointSeq).toBe(7);
      await eventually(() => expect(followed.ends).toEqual(["whole"]));
      expect(followed.events.slice(5).map(({ seq, data }) => [seq, data])).toEqual([
        [6, '{"type":"text-end","id":"t1"}'],
        [7, '{"type":"reasoning-end","id":"t1"}'],
      ]);
    });

    it("signals an answered call with the next heartbeat, once for each answer", async () => {
      const { runs, awaitedCalls, signals } = storage.current;
      await storage.beginIn("t1", 1);
      const told: string[] = [];
      const call = { runId: "run1", toolCallId: "c1" };
      await awaitedCalls.add({ ...call, toolName: "buy", kind: "page", askedAt: time(2) });
      await awaitedCalls.allow(call, { visitorId: "anna", at: time(3) });
      const stop = signals.subscribe(({ type, runId }) => told.push(`${type} ${runId}`));
      for (let beat = 0; beat < 3; beat += 1) await runs.heartbeat("here");
      expect(told).toEqual(["answered run1"]);
      await awaitedCalls.decide(call, { type: "output", output: 1 }, { visitorId: "anna", at: time(4) });
      told.length = 0;
      for (let beat = 0; beat < 3; beat += 1) await runs.heartbeat("here");
      expect(told).toEqual(["answered run1"]);
      stop();
    });

    it("gives each stale run to one of several callers, and sends its end", async () => {
      const { runs, signals } = storage.current;
      for (let n = 1; n <= 5; n += 1) await storage.beginIn(`t${n}`, n);
      const told: RunSignal[] = [];
      const stop = signals.subscribe((signal) => told.push(signal));
      const claims = await Promise.all([1, 2, 3].map(() => runs.interruptStale(0, time(40))));
      stop();
      const ids = ["run1", "run2", "run3", "run4", "run5"];
      expect(
        claims
          .flat()
          .map(({ runId }) => runId)
          .toSorted(),
      ).toEqual(ids);
      expect(told.map(({ type, runId }) => `${type} ${runId}`).toSorted()).toEqual(ids.map((id) => `ended ${id}`));
    });

    it("refuses the end of a stale run whose question was answered again", async () => {
      const { runs } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.interruptStale(0, time(20));
      expect(await runs.end("run1", answer(1, "Поздно"), time(21))).toBe(false);
      const again = { ...run(1), runId: "run2", answerId: "a2" };
      expect((await runs.begin(anna, again, question(1), regenerate(22))).outcome).toBe("begun");
      expect((await storage.messagesOf(anna, "t1")).map(({ id, status }) => [id, status?.type])).toEqual([
        ["q1", undefined],
        ["a1", "incomplete"],
        ["a2", "running"],
      ]);
    });

    it("accepts the complete answer of an interrupted run, only from its own instance", async () => {
      const { runs, messages } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.interruptStale(0, time(20));
      const late = (instanceId: string) =>
        runs.end("run1", answer(1, "Целый"), time(21), { log: { seq: 0, tail: [], instanceId } });
      expect(await late("there")).toBe(false);
      expect(await late("here")).toBe(true);
      expect(await messages.find(anna, "t1", "a1")).toEqual({ ...answer(1, "Целый"), createdAt: time(1) });
      expect((await storage.runOf(1))?.status).toBe("complete");
      expect(await late("here")).toBe(false);
    });

    it("keeps the interrupted answer when the thread has a later message", async () => {
      const { runs, messages } = storage.current;
      await storage.beginIn("t1", 1);
      await runs.interruptStale(0, time(20));
      const again = { ...run(1), runId: "run2", answerId: "a2" };
      await runs.begin(anna, again, question(1), regenerate(22));
      const log = { seq: 0, tail: [], instanceId: "here" };
      expect(await runs.end("run1", answer(1, "Целый"), time(23), { log })).toBe(false);
      expect((await messages.find(anna, "t1", "a1"))?.content).toEqual([]);
    });

    it("keeps the logs of runs that are running or have just ended", async () => {
      const { runs, events } = storage.current;
      for (let n = 1; n <= 2; n += 1) {
        await storage.beginIn(`t${n}`, n);
        await events.append([delta(n, 1, "Привет")]);
      }
      await runs.end("run1", answer(1, "Привет"), time(5));
      await allOf(runs.forget(60_000));
      for (const n of [1, 2]) expect(await events.read(`run${n}`, 0)).toEqual([delta(n, 1, "Привет")]);
    });
  });
}
