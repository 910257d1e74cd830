import { describe, expect, it } from "vitest";
import type { Attachment } from "@nitka/protocol";
import { bytesOf } from "../files/pieces.contract.ts";
import type { RunSignal } from "../storage.ts";
import type { OpenStorage } from "./fixture.contract.ts";
import {
  allOf,
  anna,
  answer,
  boris,
  delta,
  foreigners,
  question,
  run,
  storageForEach,
  submit,
  time,
} from "./fixture.contract.ts";

const picture: Attachment = {
  id: "f1",
  type: "image",
  name: "Кот.png",
  contentType: "image/png",
  size: 4,
  url: "api/debug/attachments/f1",
};
const bytes = Uint8Array.of(0, 255, 10, 0);

export function attachmentsContract(open: OpenStorage): void {
  describe("attachments", () => {
    const storage = storageForEach(open);

    it("returns an attachment and its bytes", async () => {
      const { threads, attachments } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      expect(await storage.keep(anna, "t1", picture, bytes, time(1))).toBe(true);
      expect(await attachments.find(anna, "f1")).toEqual({ attachment: picture, threadId: "t1" });
      expect(Uint8Array.from(await bytesOf(await attachments.read(anna, "f1")))).toEqual(bytes);
      expect(await attachments.count(anna, "t1")).toBe(1);
      expect(await attachments.count(anna, "t2")).toBe(0);
    });

    it("stores large and empty files", async () => {
      const { threads, attachments } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      const large = new Uint8Array(12_000_000).map((_, n) => n % 251);
      await storage.keep(anna, "t1", { ...picture, id: "large", size: large.length }, large, time(1));
      await storage.keep(anna, "t1", { ...picture, id: "empty", size: 0 }, new Uint8Array(), time(1));
      expect(Buffer.compare(await bytesOf(await attachments.read(anna, "large")), large)).toBe(0);
      expect((await bytesOf(await attachments.read(anna, "empty"))).byteLength).toBe(0);
    });

    it("binds an attachment to the message that it is first sent with", async () => {
      const { attachments, threads, runs } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await storage.keep(anna, "t1", picture, bytes, time(1));
      await storage.keep(anna, "t1", { ...picture, id: "f2" }, bytes, time(1));
      await runs.begin(anna, run(1), { ...question(1), attachments: [picture] }, submit(2));
      await runs.end("run1", answer(1, "Кот"), time(3));
      await runs.begin(anna, run(2), { ...question(2), attachments: [picture] }, submit(4));
      expect(await attachments.find(anna, "f1")).toEqual({ attachment: picture, threadId: "t1", messageId: "q1" });
      expect((await attachments.find(anna, "f2"))?.messageId).toBeUndefined();
    });

    it("binds the attachments in a question's parts, and finds several at once", async () => {
      const { attachments, threads, runs } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      const ids = ["f1", "f2", "f3", "f4"];
      for (const id of ids) await storage.keep(anna, "t1", { ...picture, id }, bytes, time(1));
      const content = [
        { type: "image", image: "api/debug/attachments/f1" },
        { type: "file", mimeType: "x/y", url: "api/debug/attachments/f2" },
        { type: "audio", audio: { url: "api/debug/attachments/f3", format: "wav" } },
      ] as const;
      await runs.begin(anna, run(1), { ...question(1), content }, submit(2));
      const found = await attachments.findAll(anna, [...ids, "f5"]);
      expect(Object.fromEntries(found.map(({ attachment, messageId }) => [attachment.id, messageId]))).toEqual({
        f1: "q1",
        f2: "q1",
        f3: "q1",
        f4: undefined,
      });
      expect(await attachments.findAll(anna, [])).toEqual([]);
    });

    it("drops attachments that were uploaded long ago and never sent", async () => {
      const { attachments, threads, runs } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      for (const [id, n] of [
        ["f1", 1],
        ["f2", 1],
        ["f3", 9],
      ] as const) {
        await storage.keep(anna, "t1", { ...picture, id }, bytes, time(n));
      }
      await runs.begin(anna, run(1), { ...question(1), attachments: [picture] }, submit(2));
      expect(await allOf(attachments.expire(time(5)))).toBe(1);
      expect(await attachments.find(anna, "f1")).toBeDefined();
      expect(await attachments.find(anna, "f2")).toBeUndefined();
      expect(await attachments.find(anna, "f3")).toBeDefined();
    });

    it("stores nothing for an unknown thread", async () => {
      const { threads } = storage.current;
      expect(await storage.keep(anna, "t1", picture, bytes, time(1))).toBe(false);
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await threads.archive(anna, "t1", time(1));
      expect(await storage.keep(anna, "t1", picture, bytes, time(1))).toBe(false);
    });

    it.each(foreigners)(
      "shows nothing to $visitorId of $projectId, and stores nothing of theirs",
      async (foreigner) => {
        const { attachments, threads } = storage.current;
        await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
        await storage.keep(anna, "t1", picture, bytes, time(1));
        expect(await attachments.find(foreigner, "f1")).toBeUndefined();
        expect(await attachments.findAll(foreigner, ["f1"])).toEqual([]);
        expect(await attachments.read(foreigner, "f1")).toBeUndefined();
        expect(await attachments.count(foreigner, "t1")).toBe(0);
        expect(await storage.keep(foreigner, "t1", { ...picture, id: "f2" }, bytes, time(1))).toBe(false);
        expect(await attachments.count(anna, "t1")).toBe(1);
      },
    );
  });
}

export function visitorsContract(open: OpenStorage): void {
  describe("visitors", () => {
    const storage = storageForEach(open);

    it("exports everything of a visitor, including archived threads", async () => {
      const { threads, runs } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0), title: "Кот" });
      await storage.keep(anna, "t1", picture, bytes, time(1));
      await runs.begin(anna, run(1), { ...question(1), attachments: [picture] }, submit(2));
      const used = { modelId: "m", purpose: "answer", calls: 1, estimatedCalls: 0 };
      const tokens = { inputTokens: 9, cachedInputTokens: 1, outputTokens: 4 };
      await runs.end("run1", answer(1, "Кот"), time(3), {
        used: [{ ...used, ...tokens }],
        figures: { firstTokenMs: 250, rejoins: 2 },
      });
      await threads.create(anna, { threadId: "t2", updatedAt: time(4) });
      await threads.archive(anna, "t2", time(5));
      expect(await storage.exportOf(anna)).toEqual({
        ...anna,
        threads: [
          {
            threadId: "t1",
            title: "Кот",
            titledBy: "visitor",
            headId: "a1",
            createdAt: time(0),
            updatedAt: time(3),
            messages: [
              { ...question(1), attachments: [picture], createdAt: time(2) },
              { ...answer(1, "Кот"), createdAt: time(2) },
            ],
            runs: [
              {
                questionId: "q1",
                answerId: "a1",
                status: "complete",
                startedAt: time(2),
                endedAt: time(3),
                modelId: "m",
                tokens,
                firstTokenMs: 250,
                rejoins: 2,
              },
            ],
            attachments: [{ ...picture, createdAt: time(1), data: "AP8KAA==" }],
          },
          {
            threadId: "t2",
            createdAt: time(4),
            updatedAt: time(4),
            archivedAt: time(5),
            messages: [],
            runs: [],
            attachments: [],
          },
        ],
      });
    });

    it("exports what a visitor used by day, model and purpose", async () => {
      const { threads, usage } = storage.current;
      const call = { modelId: "m", purpose: "answer", calls: 1, estimatedCalls: 0 };
      const used = { ...call, inputTokens: 9, cachedInputTokens: 1, outputTokens: 4 };
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await usage.add(anna, "t1", [used, { ...used, purpose: "title" }], time(1));
      await usage.add(anna, "t1", [used, used], "2026-11-20T12:00:00.000Z");
      const twice = { calls: 2, inputTokens: 18, cachedInputTokens: 2, outputTokens: 8 };
      expect(await usage.ofVisitor(anna)).toEqual([
        { ...used, ...twice, day: "2026-11-20" },
        { ...used, day: "2026-11-21" },
        { ...used, purpose: "title", day: "2026-11-21" },
      ]);
      expect(await usage.ofVisitor(boris)).toEqual([]);
    });

    it("purges a visitor, cancels running runs, and changes no other owner's data", async () => {
      const { threads, runs, events, visitors, signals } = storage.current;
      for (let n = 1; n <= 120; n += 1) await threads.create(anna, { threadId: `many${n}`, updatedAt: time(0) });
      await storage.beginIn("t1", 1);
      await events.append([delta(1, 1, "a")]);
      await storage.keep(anna, "t1", picture, bytes, time(1));
      await threads.archive(anna, "many1", time(1));
      await threads.create(boris, { threadId: "t2", updatedAt: time(0) });
      await runs.begin(boris, run(2, "t2"), question(2), submit(1));
      await events.append([delta(2, 1, "b")]);
      const told: RunSignal[] = [];
      signals.subscribe((signal) => told.push(signal));
      expect(await visitors.purge(anna)).toBe(121);
      expect(told).toEqual([{ type: "cancel", runId: "run1" }]);
      expect(await storage.exportOf(anna)).toEqual({ ...anna, threads: [] });
      expect(await runs.ownerOf("run1")).toBeUndefined();
      expect(await runs.end("run1", answer(1, "Поздно"), time(3))).toBe(false);
      await runs.checkpoint("run1", answer(1, "Поздно"), 2);
      await events.append([delta(1, 2, "b")]);
      expect(await events.read("run1", 0)).toEqual([]);
      expect(await events.read("run2", 0)).toEqual([delta(2, 1, "b")]);
      expect(await runs.findRunning(boris, "t2")).toBeDefined();
      expect(await visitors.purge(anna)).toBe(0);
    });

    it("expires a project's old threads, unless a run is running", async () => {
      const { threads, visitors } = storage.current;
      const blog = { ...anna, projectId: "blog" };
      await threads.create(anna, { threadId: "old", updatedAt: time(1) });
      await threads.create(anna, { threadId: "archived", updatedAt: time(1) });
      await threads.archive(anna, "archived", time(2));
      await threads.create(anna, { threadId: "new", updatedAt: time(9) });
      await storage.beginIn("running", 1);
      await threads.create(blog, { threadId: "blog", updatedAt: time(1) });
      expect(await allOf(visitors.expire("shop", time(5)))).toBe(2);
      expect((await storage.exportOf(anna)).threads.map(({ threadId }) => threadId).toSorted()).toEqual([
        "new",
        "running",
      ]);
      expect(await threads.count(blog)).toBe(1);
    });

    it("drops threads that were archived long ago, unless a run is running", async () => {
      const { threads, visitors } = storage.current;
      const blog = { ...anna, projectId: "blog" };
      for (const [threadId, owner] of [
        ["long ago", anna],
        ["lately", anna],
        ["not at all", anna],
        ["of another project", blog],
      ] as const) {
        await threads.create(owner, { threadId, updatedAt: time(0) });
      }
      await storage.beginIn("running", 1);
      for (const threadId of ["long ago", "running"]) await threads.archive(anna, threadId, time(1));
      await threads.archive(anna, "lately", time(9));
      await threads.archive(blog, "of another project", time(1));
      expect(await allOf(visitors.expireArchived("shop", time(5)))).toBe(1);
      expect((await storage.exportOf(anna)).threads.map(({ threadId }) => threadId).toSorted()).toEqual([
        "lately",
        "not at all",
        "running",
      ]);
      expect((await storage.exportOf(blog)).threads).toHaveLength(1);
    });

    it("lists every project with stored data once", async () => {
      const { threads, visitors } = storage.current;
      expect(await visitors.projects()).toEqual([]);
      for (const [n, projectId] of ["shop", "blog", "shop", "a.b"].entries()) {
        await threads.create({ ...anna, projectId }, { threadId: `t${n}`, updatedAt: time(0) });
      }
      expect(await visitors.projects()).toEqual(["a.b", "blog", "shop"]);
    });

    it.each(foreigners)("exports and purges nothing for $visitorId of $projectId", async (foreigner) => {
      const { threads, visitors } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      expect(await storage.exportOf(foreigner)).toEqual({ ...foreigner, threads: [] });
      expect(await visitors.purge(foreigner)).toBe(0);
      expect(await threads.count(anna)).toBe(1);
    });
  });
}
