import { describe, expect, it } from "vitest";
import type { Message } from "@nitka/protocol";
import type { DeskRunQuery } from "../desk.ts";
import type { EndOptions, Owner } from "../storage.ts";
import type { UsedTokens } from "../usage.ts";
import { anna, answer, boris, question, run, storageForEach, time } from "./fixture.contract.ts";
import type { OpenStorage } from "./fixture.contract.ts";

const span = { projectIds: ["shop"], from: "2026-11-01T00:00:00.000Z", to: "2026-12-01T00:00:00.000Z" };
const newest: DeskRunQuery = { ...span, limit: 10 };

const used = (modelId: string, inputTokens: number, purpose = "answer"): readonly UsedTokens[] => [
  { modelId, purpose, calls: 1, estimatedCalls: 0, inputTokens, cachedInputTokens: 4, outputTokens: 20 },
];

const failed: Message["status"] = { type: "incomplete", reason: "error", error: "Нет связи.", code: "silent" };
const stopped: Message["status"] = { type: "incomplete", reason: "cancelled" };

/** Day `n` of the tests' month, at noon. */
const day = (n: number) => new Date(Date.UTC(2026, 10, n, 12)).toISOString();

export function deskContract(open: OpenStorage): void {
  describe("the desk", () => {
    const storage = storageForEach(open);

    /** A run in a thread of its own that began at `at`, and ended a second later unless `status` is `running`. */
    async function asked(
      n: number,
      { owner = anna, at = time(n), status, ...options }: Asked = {},
    ): Promise<{ readonly owner: Owner; readonly threadId: string }> {
      const { threads, runs } = storage.current;
      const threadId = `t${n}`;
      await threads.create(owner, { threadId, updatedAt: at });
      await runs.begin(owner, run(n, threadId), question(n), { regenerate: false, at });
      const endedAt = new Date(Date.parse(at) + 1_000).toISOString();
      if (status?.type !== "running") await runs.end(`run${n}`, answer(n, "Ответ", status), endedAt, options);
      return { owner, threadId };
    }

    const idsOf = async (query: Partial<DeskRunQuery>) =>
      (await storage.current.desk.runs({ ...newest, ...query })).map(({ run: { runId } }) => runId);

    it("has each run with its owner, its figures, and its answer's status and rating", async () => {
      const { desk, messages, threads } = storage.current;
      await asked(1, { used: used("large", 70), figures: { firstTokenMs: 340, rejoins: 2 } });
      await asked(2, { owner: boris, status: failed, figures: { rejoins: 0 } });
      await asked(3, { status: { type: "running" } });
      await messages.rate(anna, "t1", "a1", { rating: "down", reason: "Нет цены" });
      await threads.rename(anna, "t1", "О чашках", "visitor");
      const [running, wrong, rated] = await desk.runs(newest);
      expect(rated).toEqual({
        owner: anna,
        run: {
          ...run(1, "t1"),
          status: "complete",
          startedAt: time(1),
          endedAt: time(2),
          checkpointSeq: 0,
          modelId: "large",
          tokens: { inputTokens: 70, cachedInputTokens: 4, outputTokens: 20 },
        },
        status: { type: "complete" },
        title: "О чашках",
        isArchived: false,
        feedback: { rating: "down", reason: "Нет цены" },
        firstTokenMs: 340,
        rejoins: 2,
      });
      expect(wrong).toMatchObject({ owner: boris, status: failed, rejoins: 0 });
      expect(wrong?.firstTokenMs).toBeUndefined();
      expect(running).toMatchObject({ run: { runId: "run3", status: "running" }, status: { type: "running" } });
      expect(running?.rejoins).toBeUndefined();
      expect(await desk.run("run1")).toEqual(rated);
      expect(await desk.run("nothing")).toBeUndefined();
    });

    it("lists runs newest first, in pages, also those that began at the same time", async () => {
      for (const n of [1, 2, 3, 4]) await asked(n, { at: n === 1 ? time(1) : time(2) });
      expect(await idsOf({})).toEqual(["run4", "run3", "run2", "run1"]);
      expect(await idsOf({ limit: 2 })).toEqual(["run4", "run3"]);
      expect(await idsOf({ before: { startedAt: time(2), runId: "run3" } })).toEqual(["run2", "run1"]);
      expect(await idsOf({ before: { startedAt: time(1), runId: "run1" } })).toEqual([]);
    });

    it("lists only the requested projects, span, status and rating", async () => {
      const { messages } = storage.current;
      await asked(1, { at: day(1) });
      await asked(2, { at: day(2), status: failed });
      await asked(3, { at: day(3), status: stopped });
      await asked(4, { at: day(4), owner: { projectId: "blog", visitorId: "anna" } });
      await asked(5, { at: day(5), status: { type: "running" } });
      await messages.rate(anna, "t1", "a1", { rating: "up" });
      await messages.rate(anna, "t3", "a3", { rating: "down" });
      expect(await idsOf({ projectIds: ["blog"] })).toEqual(["run4"]);
      expect(await idsOf({ projectIds: [] })).toEqual([]);
      expect(await idsOf({ projectIds: ["blog", "shop"], from: day(3), to: day(5) })).toEqual(["run4", "run3"]);
      expect(await idsOf({ status: "error" })).toEqual(["run2"]);
      expect(await idsOf({ status: "cancelled" })).toEqual(["run3"]);
      expect(await idsOf({ status: "running" })).toEqual(["run5"]);
      expect(await idsOf({ status: "complete" })).toEqual(["run1"]);
      expect(await idsOf({ status: "interrupted" })).toEqual([]);
      expect(await idsOf({ rating: "up" })).toEqual(["run1"]);
      expect(await idsOf({ rating: "any" })).toEqual(["run3", "run1"]);
    });

    it("finds a run by its answer's rating as that changes, also while the answer is written, and by its last end", async () => {
      const { desk, messages, runs } = storage.current;
      const found = async () => {
        const [day] = await desk.days(span);
        return [await idsOf({ rating: "any" }), await idsOf({ rating: "down" }), day?.up, day?.down];
      };
      await asked(1, { status: { type: "running" } });
      await messages.rate(anna, "t1", "a1", { rating: "up" });
      expect(await found()).toEqual([["run1"], [], 1, 0]);
      expect(await runs.interruptStale(0, time(2))).toHaveLength(1);
      expect(await idsOf({ status: "interrupted" })).toEqual(["run1"]);
      // Its instance was alive after all.
      await runs.end("run1", answer(1, "Ответ", failed), time(3), { log: { seq: 1, tail: [], instanceId: "here" } });
      expect([await idsOf({ status: "interrupted" }), await idsOf({ status: "error" })]).toEqual([[], ["run1"]]);
      expect((await desk.days(span))[0]).toMatchObject({ errors: 1, interrupted: 0 });
      expect(await found()).toEqual([["run1"], [], 1, 0]);
      await messages.rate(anna, "t1", "a1", { rating: "down" });
      expect(await found()).toEqual([["run1"], ["run1"], 0, 1]);
      await messages.rate(anna, "t1", "a1", null);
      expect(await found()).toEqual([[], [], 0, 0]);
    });

    it("pages through several projects whose runs began at the same times", async () => {
      const blog = { projectId: "blog", visitorId: "anna" };
      for (const n of [1, 2, 3, 4, 5, 6]) await asked(n, { at: time(Math.ceil(n / 3)), owner: n % 2 ? anna : blog });
      const both = { projectIds: ["shop", "blog"], limit: 2 };
      expect(await idsOf(both)).toEqual(["run6", "run5"]);
      expect(await idsOf({ ...both, before: { startedAt: time(2), runId: "run5" } })).toEqual(["run4", "run3"]);
      expect(await idsOf({ ...both, before: { startedAt: time(1), runId: "run3" } })).toEqual(["run2", "run1"]);
    });

    it("returns a thread's owner, also after a claim, and none once it is deleted", async () => {
      const { desk, threads, visitors } = storage.current;
      await asked(1);
      expect(await desk.ownerOf("t1")).toEqual(anna);
      await visitors.claim(anna, "host:7");
      const claimed = { projectId: "shop", visitorId: "host:7" };
      expect(await desk.ownerOf("t1")).toEqual(claimed);
      expect((await desk.run("run1"))?.owner).toEqual(claimed);
      await threads.archive(claimed, "t1", time(5));
      expect(await desk.ownerOf("t1")).toBeUndefined();
      expect(await desk.run("run1")).toMatchObject({ isArchived: true });
      expect(await desk.ownerOf("nothing")).toBeUndefined();
    });

    it("counts the runs, their ends and their ratings by day and project", async () => {
      const { desk, messages } = storage.current;
      await asked(1, { at: day(1), figures: { firstTokenMs: 100, rejoins: 1 } });
      await asked(2, { at: day(1), figures: { firstTokenMs: 301, rejoins: 2 } });
      await asked(3, { at: day(1), status: failed });
      await asked(4, { at: day(2), status: stopped });
      await asked(5, { at: day(2), owner: { projectId: "blog", visitorId: "anna" } });
      await messages.rate(anna, "t1", "a1", { rating: "up" });
      await messages.rate(anna, "t2", "a2", { rating: "down" });
      await messages.rate(anna, "t3", "a3", { rating: "down" });
      const none = { runs: 1, errors: 0, cancelled: 0, interrupted: 0, rejoins: 0, up: 0, down: 0 };
      expect(await desk.days({ ...span, projectIds: ["shop", "blog"] })).toEqual([
        { ...none, day: "2026-11-02", projectId: "blog" },
        { ...none, day: "2026-11-02", projectId: "shop", cancelled: 1 },
        {
          ...none,
          day: "2026-11-01",
          projectId: "shop",
          runs: 3,
          errors: 1,
          rejoins: 3,
          up: 1,
          down: 2,
          firstTokenMs: 201,
        },
      ]);
      expect(await desk.days({ ...span, projectIds: [] })).toEqual([]);
    });

    it("sums tokens by day, project and model, for the days that the span touches", async () => {
      const { desk, usage } = storage.current;
      const { owner, threadId } = await asked(1, { at: day(1), used: used("large", 70) });
      await asked(2, { at: day(1), used: used("large", 30) });
      await asked(3, { at: day(2), used: used("small", 5) });
      await usage.add(owner, threadId, used("large", 1, "title"), day(1));
      const sums = { cachedInputTokens: 12, outputTokens: 60, projectId: "shop" };
      const first = { ...sums, day: "2026-11-01", modelId: "large", inputTokens: 101 };
      expect(await desk.tokens(span)).toEqual([
        { ...sums, day: "2026-11-02", modelId: "small", inputTokens: 5, cachedInputTokens: 4, outputTokens: 20 },
        first,
      ]);
      expect(await desk.tokens({ ...span, to: "2026-11-02T00:00:00.000Z" })).toEqual([first]);
      expect(await desk.tokens({ ...span, projectIds: ["blog"] })).toEqual([]);
      expect(await desk.tokens({ ...span, projectIds: [] })).toEqual([]);
    });
  });
}

interface Asked extends EndOptions {
  readonly owner?: Owner;
  readonly at?: string;
  /** The status of the answer. Default: `complete`. */
  readonly status?: Message["status"];
}
