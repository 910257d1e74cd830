import { beforeEach, describe, expect, it } from "vitest";
import type { SpentTelling, UsedTokens } from "../usage.ts";
import type { ErasureTelling, RunTelling, Telling, WebhookEvent } from "../webhooks.ts";
import type { OpenStorage } from "./fixture.contract.ts";
import { allOf, anna, answer, boris, named, question, run, storageForEach, submit, time } from "./fixture.contract.ts";

const url = "https://crm.example/hook";
const plain: Telling = { at: time(5), notices: [{ url }] };
const erasure: ErasureTelling = { ...plain, callMs: 60_000 };
const withTexts: Telling = { at: time(5), notices: [{ url, fields: { rating: "down" }, texts: { reason: "Мимо" } }] };
const claim = { projectId: "shop", url, instanceId: "here", limit: 10, held: [] as number[], staleMs: 7_000 };
const used = (tokens: number): UsedTokens => ({
  modelId: "m",
  purpose: "answer",
  calls: 1,
  estimatedCalls: 0,
  inputTokens: tokens,
  cachedInputTokens: 0,
  outputTokens: 1,
});
const ended: RunTelling = { ended: [{ url, texts: true }], question: "Вопрос 1" };

export function webhooksContract(open: OpenStorage): void {
  describe("the events for webhooks", () => {
    const storage = storageForEach(open);
    /** The positions that the test has claimed. */
    let held: number[] = [];
    beforeEach(async () => {
      held = [];
      for (const instanceId of ["here", "there", "elsewhere"]) await storage.current.runs.heartbeat(instanceId);
    });

    async function due(more: Partial<typeof claim> = {}): Promise<readonly Omit<WebhookEvent, "id" | "ageMs">[]> {
      const events = await storage.current.webhooks.claim({ ...claim, held, ...more });
      held = [...held, ...events.map(({ position }) => position)];
      return events.map(({ id: _id, ageMs: _ageMs, ...event }) => event);
    }

    /** Takes every event, in the order of delivery. */
    async function typesOf(): Promise<readonly string[]> {
      const types: string[] = [];
      for (;;) {
        const events = await storage.current.webhooks.claim(claim);
        if (events.length === 0) return types;
        for (const { position, type } of events) {
          types.push(type);
          await storage.current.webhooks.remove(position);
        }
      }
    }

    const beginTold = async (telling: RunTelling, n = 1, threadId = "t1") => {
      await storage.current.threads.create(anna, { threadId, updatedAt: time(0) });
      await storage.current.runs.begin(anna, run(n, threadId), question(n), { ...submit(n), telling });
    };

    it("are stored with a new thread, and not without webhooks", async () => {
      await storage.current.threads.create(anna, { threadId: "t0", updatedAt: time(0) });
      await storage.current.threads.create(anna, { threadId: "t1", updatedAt: time(0) }, plain);
      expect(await due()).toEqual([
        {
          position: expect.any(Number),
          type: "thread.created",
          at: time(5),
          projectId: "shop",
          url,
          visitorId: "anna",
          threadId: "t1",
          fields: {},
          texts: {},
          attempts: 0,
        },
      ]);
      expect(await due({ url: "https://other.example" })).toEqual([]);
      expect(await due({ projectId: "blog" })).toEqual([]);
    });

    it("are not stored with a thread that is refused", async () => {
      const { threads } = storage.current;
      await threads.create(boris, { threadId: "t1", updatedAt: time(0) });
      await expect(threads.create(anna, { threadId: "t1", updatedAt: time(0) }, plain)).rejects.toThrow(/unique/i);
      expect(await due()).toEqual([]);
    });

    const toldEnd = (fields: WebhookEvent["fields"], answered: string) => ({
      position: expect.any(Number) as unknown,
      type: "run.ended",
      at: time(9),
      projectId: "shop",
      url,
      visitorId: "anna",
      threadId: "t1",
      messageId: "a1",
      fields,
      texts: { question: "Вопрос 1", answer: answered },
      attempts: 0,
    });

    it("are stored with a run's end, once", async () => {
      await beginTold(ended);
      const end = () => storage.current.runs.end("run1", answer(1, "Да"), time(9), { used: [used(5)], telling: ended });
      expect([await end(), await end()]).toEqual([true, false]);
      const fields = { status: { type: "complete" }, usage: { inputTokens: 5, outputTokens: 1 } };
      expect(await due()).toEqual([toldEnd(fields, "Да")]);
    });

    it("are stored with a run that is interrupted, by the instance that finds it", async () => {
      await beginTold(ended);
      await storage.current.runs.interrupt(["run1"], time(9));
      const usage = { inputTokens: 0, outputTokens: 0 };
      expect(await due()).toEqual([toldEnd({ status: { type: "incomplete", reason: "interrupted" }, usage }, "")]);
    });

    it("are stored with many concurrent ends, only for those with webhooks", async () => {
      for (const n of [1, 2, 3]) await beginTold(n === 2 ? { ended: [] } : ended, n, `t${n}`);
      const ends = [1, 2, 3].map((n) =>
        storage.current.runs.end(`run${n}`, answer(n, "Да"), time(9), {
          used: [used(5)],
          ...(n !== 2 && { telling: ended }),
        }),
      );
      expect(await Promise.all(ends)).toEqual([true, true, true]);
      expect((await due()).map(({ threadId }) => String(threadId)).toSorted()).toEqual(["t1", "t3"]);
    });

    it("are stored with a rating: a later reason only for webhooks that get texts", async () => {
      await beginTold({ ended: [] });
      const { messages } = storage.current;
      await messages.rate(anna, "t1", "a1", { rating: "down" }, plain);
      await messages.rate(anna, "t1", "a1", { rating: "down", reason: "Мимо" }, plain);
      await messages.rate(anna, "t1", "a1", { rating: "down", reason: "Мимо!" }, withTexts);
      await messages.rate(anna, "t1", "a1", { rating: "down", reason: "Мимо!" }, withTexts);
      await messages.rate(anna, "t1", "q1", { rating: "down" }, plain);
      expect(await typesOf()).toEqual(["message.rated", "message.rated"]);
    });

    it("are stored with a denial, unless the call was decided before", async () => {
      await beginTold({ ended: [] });
      const { awaitedCalls } = storage.current;
      const key = { runId: "run1", toolCallId: "c1" };
      await awaitedCalls.add({ ...key, toolName: "buy", kind: "approval", askedAt: time(2) });
      const deny = () => awaitedCalls.decide(key, { type: "denied" }, { visitorId: "anna", at: time(3) }, plain);
      const denied = await Promise.all([deny(), deny()]);
      expect(denied.toSorted()).toEqual([false, true]);
      expect(await due()).toMatchObject([{ type: "approval.denied", toolCallId: "c1", messageId: "a1" }]);
      expect(await due()).toEqual([]);
    });

    const duePlaces = async () => (await due()).map(({ type, threadId, visitorId }) => [type, threadId, visitorId]);

    it("are stored when a visitor is erased, and the visitor's own pending events are removed, tried before or not", async () => {
      const spent: SpentTelling = { projectId: "shop", urls: [url], budget: { visitorTokens: 1, projectTokens: null } };
      await storage.current.threads.create(boris, { threadId: "t9", updatedAt: time(0) }, plain);
      await beginTold({ ...ended, spent });
      await storage.current.runs.end("run1", answer(1, "Секрет"), time(9), {
        used: [used(5)],
        telling: { ...ended, spent },
      });
      for (const event of await storage.current.webhooks.claim(claim))
        await storage.current.webhooks.postpone(event, 0);
      await storage.current.visitors.purge(anna, erasure);
      await storage.current.visitors.purge(anna, erasure);
      expect(await duePlaces()).toEqual([
        ["thread.created", "t9", "boris"],
        ["visitor.erased", undefined, "anna"],
        ["visitor.erased", undefined, "anna"],
      ]);
    });

    it("for an erasure wait for a call in progress to that address, which is not repeated", async () => {
      await storage.current.threads.create(anna, { threadId: "t1", updatedAt: time(0) }, plain);
      const [called] = await storage.current.webhooks.claim(claim);
      if (!called) throw new Error("There is an event");
      const elsewhere = "https://erp.example/hook";
      const notices = [{ url }, { url: elsewhere }];
      await storage.current.visitors.purge(anna, { ...erasure, notices });
      await storage.current.webhooks.postpone(called, 0);
      expect(await due()).toEqual([]);
      expect(await due({ url: elsewhere })).toMatchObject([{ type: "visitor.erased" }]);
      expect(await storage.current.webhooks.giveUp(0)).toHaveLength(2);
    });

    it("move with the visitor who has claimed their thread, and stay, without texts, when their thread expires", async () => {
      for (const n of [1, 2]) {
        await beginTold(ended, n, `t${n}`);
        await storage.current.runs.end(`run${n}`, answer(n, "Секрет"), time(9), { telling: ended });
        if (n === 1) await storage.current.visitors.claim(anna, named.visitorId);
      }
      await storage.current.visitors.purge(named, erasure);
      await allOf(storage.current.visitors.expire("shop", time(50)));
      const waiting = (await due()).map(({ type, threadId, visitorId, texts }) => [type, threadId, visitorId, texts]);
      expect(waiting).toEqual([
        ["run.ended", "t2", "anna", {}],
        ["visitor.erased", undefined, "host:7", {}],
      ]);
    });

    it("are stored once for each budget and day, when the limit is crossed, also when two answers end at once", async () => {
      const spent: SpentTelling = {
        projectId: "shop",
        urls: [url],
        budget: { visitorTokens: 100, projectTokens: 100 },
      };
      const telling: RunTelling = { ended: [], spent };
      const end = (n: number, tokens: number, at = time(9)) =>
        storage.current.runs.end(`run${n}`, answer(n, "Да"), at, { used: [used(tokens)], telling });
      for (const n of [1, 2, 3, 4, 5, 6]) await beginTold(telling, n, `t${n}`);
      await end(1, 40);
      expect(await due()).toEqual([]);
      await Promise.all([end(2, 29), storage.current.usage.add(anna, "t1", [used(29)], time(9), spent)]);
      expect((await due()).map(({ fields, visitorId }) => Object.assign({ visitorId }, fields))).toEqual([
        { limit: "tokensPerDay", tokens: 100, day: "2026-11-21", visitorId: "anna" },
        { limit: "projectTokensPerDay", tokens: 100, day: "2026-11-21", visitorId: undefined },
      ]);
      await Promise.all([end(3, 50), end(4, 50)]);
      expect(await due()).toEqual([]);
      const tomorrow = "2026-11-22T00:00:01.000Z";
      await Promise.all([end(5, 60, tomorrow), end(6, 60, tomorrow)]);
      expect((await due()).map(({ fields }) => fields["day"])).toEqual(["2026-11-22", "2026-11-22"]);
    });

    it("are claimed by one of several concurrent instances, and only the oldest of each thread", async () => {
      for (const threadId of ["t1", "t2"]) {
        await storage.current.threads.create(anna, { threadId, updatedAt: time(0) }, plain);
        await storage.current.runs.begin(anna, run(Number(threadId[1]), threadId), question(1), submit(1));
        const n = Number(threadId[1]);
        await storage.current.runs.end(`run${n}`, answer(n, "Да"), time(9), { telling: ended });
      }
      const claims = await Promise.all(["here", "there", "elsewhere"].map((instanceId) => due({ instanceId })));
      expect(claims.flat().map(({ type, threadId }) => [type, threadId])).toEqual(
        expect.arrayContaining([
          ["thread.created", "t1"],
          ["thread.created", "t2"],
        ]),
      );
      expect(claims.flat()).toHaveLength(2);
      expect(await due()).toEqual([]);
    });

    it("wait for their next attempt, and later events of the thread wait too", async () => {
      await storage.current.threads.create(anna, { threadId: "t1", updatedAt: time(0) }, plain);
      const [first] = await storage.current.webhooks.claim(claim);
      if (!first) throw new Error("There is an event");
      await storage.current.runs.begin(anna, run(1), question(1), submit(1));
      await storage.current.runs.end("run1", answer(1, "Да"), time(9), { telling: ended });
      await storage.current.webhooks.postpone(first, 60_000);
      await storage.current.messages.rate(anna, "t1", "a1", { rating: "up" }, plain);
      expect(await due()).toEqual([]);
      await storage.current.webhooks.postpone(first, 0);
      expect(await due()).toMatchObject([{ type: "thread.created", attempts: 2 }]);
    });

    it("are free again when their instance releases them, or is dead", async () => {
      await storage.current.threads.create(anna, { threadId: "t1", updatedAt: time(0) }, plain);
      const another = (more = {}) => due({ held: [], ...more });
      expect(await another({ instanceId: "there" })).toHaveLength(1);
      expect(await another()).toEqual([]);
      await storage.current.webhooks.release("there");
      expect(await another()).toHaveLength(1);
      expect(await another({ instanceId: "there" })).toEqual([]);
      expect(await another({ instanceId: "there", staleMs: 0 })).toHaveLength(1);
    });

    it("are claimed again by their instance, which may have missed the claim's reply, unless it holds them", async () => {
      for (const threadId of ["t1", "t2"])
        await storage.current.threads.create(anna, { threadId, updatedAt: time(0) }, plain);
      const [first] = await storage.current.webhooks.claim(claim);
      if (!first) throw new Error("There is an event");
      const again = await storage.current.webhooks.claim({ ...claim, held: [first.position] });
      expect(again).toMatchObject([{ threadId: "t2", attempts: 0 }]);
    });

    it("are removed when they are too old", async () => {
      await storage.current.threads.create(anna, { threadId: "t1", updatedAt: time(0) }, plain);
      expect(await storage.current.webhooks.giveUp(60_000)).toEqual([]);
      expect(await storage.current.webhooks.giveUp(0)).toEqual([{ projectId: "shop", url, type: "thread.created" }]);
      expect(await due()).toEqual([]);
    });
  });
}
