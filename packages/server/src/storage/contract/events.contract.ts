import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import type { LogBatch, LoggedEvent, RunSignal, Storage } from "../storage.ts";
import type { OpenStorage } from "./fixture.contract.ts";
import { anna, answer, delta, storageForEach, time } from "./fixture.contract.ts";

/** What a follower received: the events in one list, and each end. */
interface Followed {
  readonly events: LoggedEvent[];
  readonly ends: NonNullable<LogBatch["end"]>[];
  readonly stop: () => void;
}

export function follow(storage: Storage, runId: string, afterSeq = 0): Followed {
  const events: LoggedEvent[] = [];
  const ends: Followed["ends"] = [];
  const stop = storage.events.follow(runId, afterSeq, (batch: LogBatch) => {
    events.push(...batch.events);
    if (batch.end) ends.push(batch.end);
  });
  return { events, ends, stop };
}

/** Stops the interval at which followers poll, until the test ends. */
export function stopPolls(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Waits after `stopPolls`. `eventually` and `expect.poll` would advance the stopped clock. */
export async function withoutPolls(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

export function eventsContract(open: OpenStorage): void {
  describe("events", () => {
    const storage = storageForEach(open);

    it("reads the events of one run in order, after any of them", async () => {
      const { events } = storage.current;
      await storage.beginIn("t1", 1);
      await storage.beginIn("t2", 2);
      await events.append([delta(1, 1, "a"), delta(2, 1, "z"), delta(1, 2, "b"), delta(1, 3, "c")]);
      await events.append([delta(1, 4, "d"), delta(2, 2, "y")]);
      const all = [delta(1, 1, "a"), delta(1, 2, "b"), delta(1, 3, "c"), delta(1, 4, "d")];
      for (let after = 0; after <= 5; after += 1) expect(await events.read("run1", after)).toEqual(all.slice(after));
      expect(await events.read("run2", 0)).toEqual([delta(2, 1, "z"), delta(2, 2, "y")]);
      expect(await events.read("unknown", 0)).toEqual([]);
    });

    it("stores each event once when a batch is appended again, grown or cut", async () => {
      const { events } = storage.current;
      await storage.beginIn("t1", 1);
      const all = Array.from({ length: 9 }, (_, n) => delta(1, n + 1, String(n)));
      await events.append(all.slice(0, 3));
      await events.append(all.slice(0, 3));
      await events.append(all.slice(0, 6));
      await events.append(all.slice(0, 2));
      expect(await events.read("run1", 0)).toEqual(all.slice(0, 6));
      await events.append(all.slice(1, 4));
      await events.append(all.slice(2, 9));
      expect(await events.read("run1", 0)).toEqual(all);
      expect(await events.read("run1", 4)).toEqual(all.slice(4));
    });

    it("keeps the value of JSON with line breaks, NUL and lone surrogates", async () => {
      const { events } = storage.current;
      await storage.beginIn("t1", 1);
      const value = { type: "text-delta", delta: "a\nb\0c\uD83D" };
      await events.append([
        { runId: "run1", seq: 1, data: JSON.stringify(value, null, 2) },
        { runId: "run1", seq: 2, data: JSON.stringify(value) },
      ]);
      expect((await events.read("run1", 0)).map(({ data }) => JSON.parse(data) as unknown)).toEqual([value, value]);
    });

    it("skips the events of an unknown or purged run, and appends the others", async () => {
      const { events } = storage.current;
      await storage.beginIn("t1", 1);
      await events.append([delta(7, 1, "z"), delta(1, 1, "a")]);
      await events.append([]);
      expect(await events.read("run7", 0)).toEqual([]);
      expect(await events.read("run1", 0)).toEqual([delta(1, 1, "a")]);
    });

    it("gives a follower each later event once and in order, and then the end", async () => {
      const { events, runs } = storage.current;
      await storage.beginIn("t1", 1);
      const all = Array.from({ length: 20 }, (_, n) => delta(1, n + 1, String(n)));
      await events.append(all.slice(0, 4));
      const fromStart = follow(storage.current, "run1");
      const fromThird = follow(storage.current, "run1", 3);
      for (let n = 4; n < 20; n += 2) await events.append(all.slice(n, n + 2));
      await runs.end("run1", answer(1, "Всё"), time(9));
      await eventually(() => expect([fromStart.ends, fromThird.ends]).toEqual([["whole"], ["whole"]]));
      expect(fromStart.events).toEqual(all);
      expect(fromThird.events).toEqual(all.slice(3));
    });

    it("wakes a follower without its poll", async () => {
      const { events } = storage.current;
      await storage.beginIn("t1", 1);
      stopPolls();
      const followed = follow(storage.current, "run1");
      for (let seq = 1; seq <= 10; seq += 1) {
        await events.append([delta(1, seq, "a")]);
        await withoutPolls(() => followed.events.length === seq);
      }
      expect(followed.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, n) => n + 1));
      followed.stop();
    });

    it("holds events after a gap until it closes, and gives a broken end when it does not", async () => {
      const { events, runs } = storage.current;
      await storage.beginIn("t1", 1);
      const followed = follow(storage.current, "run1");
      await events.append([delta(1, 1, "a"), delta(1, 3, "c")]);
      await eventually(() => expect(followed.events).toEqual([delta(1, 1, "a")]));
      await events.append([delta(1, 2, "b"), delta(1, 5, "e")]);
      await eventually(() => expect(followed.events.map(({ seq }) => seq)).toEqual([1, 2, 3]));
      await runs.end("run1", answer(1, "abce"), time(9));
      await eventually(() => expect(followed.ends).toEqual(["broken"]));
      expect(followed.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    });

    it("gives a broken end when the log ends before the answer", async () => {
      const { events, runs } = storage.current;
      await storage.beginIn("t1", 1);
      await events.append([delta(1, 1, "a"), delta(1, 2, "b")]);
      const log = { seq: 3, tail: [], instanceId: "here" };
      await runs.end("run1", answer(1, "abc"), time(9), { log });
      const [fromStart, fromEnd] = [follow(storage.current, "run1"), follow(storage.current, "run1", 3)];
      await eventually(() => expect([fromStart.ends, fromEnd.ends]).toEqual([["broken"], ["whole"]]));
      expect([fromStart.events, fromEnd.events]).toEqual([[delta(1, 1, "a"), delta(1, 2, "b")], []]);
    });

    it("gives the end at once when the run has ended, is purged or is unknown", async () => {
      const { events, runs, visitors } = storage.current;
      await storage.beginIn("t1", 1);
      await events.append([delta(1, 1, "a")]);
      await runs.end("run1", answer(1, "a"), time(9));
      const over = follow(storage.current, "run1");
      const unknown = follow(storage.current, "unknown");
      await eventually(() => expect([over.ends, unknown.ends]).toEqual([["whole"], ["whole"]]));
      expect(over.events).toEqual([delta(1, 1, "a")]);
      await storage.beginIn("t2", 2);
      const purged = follow(storage.current, "run2");
      await visitors.purge(anna);
      await eventually(() => expect(purged.ends).toEqual(["whole"]));
    });

    it("gives nothing more to a follower that has stopped", async () => {
      const { events, runs } = storage.current;
      await storage.beginIn("t1", 1);
      const stopped = follow(storage.current, "run1");
      const other = follow(storage.current, "run1");
      stopped.stop();
      await events.append([delta(1, 1, "a")]);
      await runs.end("run1", answer(1, "a"), time(9));
      await eventually(() => expect(other.ends).toEqual(["whole"]));
      expect(stopped).toMatchObject({ events: [], ends: [] });
    });
  });

  describe("signals", () => {
    const storage = storageForEach(open);

    it("calls every subscriber of this instance until it unsubscribes", async () => {
      const { signals } = storage.current;
      const first: RunSignal[] = [];
      const second: RunSignal[] = [];
      const stop = signals.subscribe((signal) => first.push(signal));
      signals.subscribe((signal) => second.push(signal));
      await signals.publish({ type: "cancel", runId: "run1" });
      stop();
      await signals.publish({ type: "ended", runId: "run1" });
      expect(first).toEqual([{ type: "cancel", runId: "run1" }]);
      expect(second).toEqual([
        { type: "cancel", runId: "run1" },
        { type: "ended", runId: "run1" },
      ]);
    });

    it("sends the end of a run", async () => {
      const { signals, runs } = storage.current;
      await storage.beginIn("t1", 1);
      const told: RunSignal[] = [];
      signals.subscribe((signal) => told.push(signal));
      await runs.end("run1", answer(1, "a"), time(2));
      await runs.end("run1", answer(1, "a"), time(3));
      expect(told).toEqual([{ type: "ended", runId: "run1" }]);
    });

    it("sends an instance the cancellations of its running runs with its heartbeat", async () => {
      const { signals, runs } = storage.current;
      await storage.beginIn("t1", 1);
      await storage.beginIn("t2", 2);
      await signals.publish({ type: "cancel", runId: "run1" });
      const told: RunSignal[] = [];
      signals.subscribe((signal) => told.push(signal));
      await runs.heartbeat("elsewhere");
      expect(told).toEqual([]);
      await runs.heartbeat("here");
      expect(told).toEqual([{ type: "cancel", runId: "run1" }]);
      await runs.end("run1", answer(1, "a", { type: "incomplete", reason: "cancelled" }), time(3));
      told.length = 0;
      await runs.heartbeat("here");
      expect(told).toEqual([]);
    });
  });
}
