import { describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { eventsOf, refusalOf, serverOpener } from "../contract/server.contract.ts";
import type { Opened, OpenOptions } from "../contract/server.contract.ts";
import { finish, threadOpener } from "../contract/thread.contract.ts";
import { ModelError } from "../model/model.ts";
import { createScriptedModel, saying } from "../model/testing/scripted-model.ts";
import type { UsageKey } from "../storage/usage.ts";

const { openHeld, openThread } = threadOpener();
const open = serverOpener();

const clock = () => new Date("2026-11-21T22:30:00.000Z");

/** Everything that the storage has counted. */
function usageOf({ storage }: Pick<Opened, "storage">, by: UsageKey = "model") {
  return storage.usage.report({ by, from: "0000-01-01", to: "9999-12-31" });
}

function sum(key: string, calls: number, inputTokens: number, outputTokens: number, more: object = {}) {
  return { key, calls, estimatedCalls: 0, inputTokens, cachedInputTokens: 0, outputTokens, ...more };
}

describe("the tokens of an answer", () => {
  it("are those of all its requests, a fallback's under its own id, and are in the run's log line", async () => {
    const opened = await openHeld();
    const { model, client, threadId, log } = opened;
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.spend({ inputTokens: 100, cachedInputTokens: 40, outputTokens: 20 });
    model.spend({ modelId: "spare", inputTokens: 7, outputTokens: 3, estimated: true });
    finish(model);
    await eventsOf(stream);
    expect(await usageOf(opened)).toEqual([
      sum("held", 1, 100, 20, { cachedInputTokens: 40 }),
      sum("spare", 1, 7, 3, { estimatedCalls: 1 }),
    ]);
    expect(log.find(({ text }) => text === "run ended")?.fields).toMatchObject({
      modelId: "spare",
      inputTokens: 107,
      cachedInputTokens: 40,
      outputTokens: 23,
    });
  });

  it("are counted when it is cancelled, including those that are reported late", async () => {
    const opened = await openHeld(createHeldModel({ stubborn: true }));
    const { model, client, threadId } = opened;
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.write("Нача");
    model.requests[0]?.signal.addEventListener("abort", () => model.spend({ inputTokens: 10, outputTokens: 1 }));
    await client.post(`threads/${threadId}/run/cancel`, {});
    await eventsOf(stream);
    expect(await usageOf(opened)).toEqual([sum("held", 1, 10, 1)]);
    model.spend({ inputTokens: 5, outputTokens: 5 });
    await eventually(async () => expect(await usageOf(opened)).toEqual([sum("held", 2, 15, 6)]));
  });

  it("are counted when it fails; a request that the upstream refused costs none", async () => {
    const opened = await openHeld();
    const { model, client, threadId } = opened;
    const failing = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.write("Нача");
    model.spend({ inputTokens: 10, outputTokens: 1 });
    model.fail(new ModelError("upstream_unavailable", "Оборвался"));
    await eventsOf(failing);
    const refused = await client.ask(threadId, { id: "q2" });
    await model.asked(2);
    model.fail(new ModelError("upstream_refused", "Отказ"));
    await eventsOf(refused);
    expect(await usageOf(opened)).toEqual([sum("held", 1, 10, 1)]);
  });

  it("are counted when the server stops", async () => {
    const opened = await openHeld();
    const { model, client, threadId, server } = opened;
    await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.requests[0]?.signal.addEventListener("abort", () => model.spend({ inputTokens: 10, outputTokens: 1 }));
    await server.close();
    expect(await usageOf(opened)).toEqual([sum("held", 1, 10, 1)]);
  });

  it("are estimated for a model that reports none: four characters sent or received per token", async () => {
    const opened = await openHeld(createHeldModel(), { project: { instructions: "Отвечай" } });
    const { model, client, threadId } = opened;
    const stream = await client.ask(threadId, { id: "q1", content: "в".repeat(33) });
    await model.asked(1);
    finish(model, "о".repeat(41));
    await eventsOf(stream);
    expect(await usageOf(opened)).toEqual([sum("held", 1, 10, 11, { estimatedCalls: 1 })]);
  });

  it("of a title are counted, also when the title comes too late", async () => {
    const model = createHeldModel({
      title: async ({ onUsage, signal }) => {
        onUsage?.({
          modelId: "small",
          purpose: "title",
          inputTokens: 30,
          cachedInputTokens: 0,
          outputTokens: 4,
          estimated: false,
        });
        await new Promise((resolve) => {
          signal.addEventListener("abort", resolve);
        });
        return "Поздно";
      },
    });
    const opened = await openHeld(model, { timings: { titleBeforeFinishMs: 10, titleMs: 10 } });
    const { client, threadId } = opened;
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.spend({ inputTokens: 10, outputTokens: 1 });
    finish(model);
    await eventsOf(stream);
    await eventually(async () =>
      expect(await usageOf(opened)).toEqual([sum("small", 1, 30, 4), sum("held", 1, 10, 1)]),
    );
    expect(await (await client.get("/metrics")).text()).toContain(
      'nitka_tokens_total{project="default",model="small",purpose="title",direction="output"} 4',
    );
  });

  it("stay counted for the project when the visitor is erased meanwhile", async () => {
    const opened = await openHeld();
    const { model, client, threadId, storage } = opened;
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.spend({ inputTokens: 10, outputTokens: 1 });
    const [visitor] = (await usageOf(opened, "visitor")).map(({ key }) => key);
    expect(visitor).toBeUndefined();
    await storage.visitors.purge(ownerOf(client.cookie));
    await eventsOf(stream);
    await eventually(async () => expect(await usageOf(opened)).toEqual([sum("held", 1, 10, 1)]));
    expect(await usageOf(opened, "visitor")).toEqual([{ ...sum("", 1, 10, 1), key: null, projectId: "default" }]);
  });
});

describe("a day's budget", () => {
  const model = () => createScriptedModel({ script: saying("Да"), usage: { inputTokens: 60, outputTokens: 40 } });
  const limited = (limits: object, more: OpenOptions = {}): OpenOptions => ({
    model: model(),
    project: { limits },
    clock,
    ...more,
  });

  it("of a visitor refuses questions once it is used up, until midnight UTC, and stores nothing of them", async () => {
    const { client, threadId, visitor } = await openThread(limited({ tokensPerDay: 100 }));
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const before = await client.messages(threadId);
    const refused = await client.ask(threadId, { id: "q2" });
    expect(refused.headers.get("retry-after")).toBe("5400");
    expect(await refused.json()).toEqual({
      error: {
        code: "budget_exceeded",
        message: "This visitor's daily allowance of tokens is used up. It is renewed at midnight UTC.",
      },
    });
    expect([refused.status, await client.messages(threadId)]).toEqual([429, before]);
    const other = await visitor();
    expect((await other.ask(await other.newThread(), { id: "q1" })).status).toBe(200);
  });

  it("of a project applies to all its visitors, and to no other project", async () => {
    const spent = { models: [model()], limits: { projectTokensPerDay: 100 } };
    const opened = await open({ projects: { default: spent, shop: spent }, clock });
    const ask = async (projectId: string) => {
      const client = await opened.visitor(projectId);
      const response = await client.ask(await client.newThread(), { id: "q1" });
      return response.status === 200 ? (await eventsOf(response)).at(-1) : refusalOf(response);
    };
    expect(await ask("default")).toBe("[DONE]");
    expect(await ask("default")).toBe("429 budget_exceeded");
    expect(await ask("shop")).toBe("[DONE]");
  });

  it("does not block a repeated question from its run or its replay", async () => {
    const { client, threadId } = await openThread(limited({ tokensPerDay: 1 }));
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    expect((await eventsOf(await client.ask(threadId, { id: "q1" }))).at(-1)).toBe("[DONE]");
    expect(await refusalOf(await client.ask(threadId, { id: "q1" }, { trigger: "regenerate-message" }))).toBe(
      "429 budget_exceeded",
    );
  });

  it("refuses without asking a model and without counting a question", async () => {
    const held = createHeldModel();
    const { client, threadId } = await openThread(limited({ tokensPerDay: 1, messagesPerMinute: 2 }, { model: held }));
    // While it is written, its maximum is reserved.
    await client.ask(threadId, { id: "first" });
    const other = await client.newThread();
    for (let n = 0; n < 3; n += 1) {
      expect(await refusalOf(await client.ask(other, { id: `q${n}` }))).toBe("429 budget_exceeded");
    }
    expect(held.requests).toHaveLength(1);
  });

  it("counts what running answers will send, so that of many concurrent questions only as many begin as fit", async () => {
    const held = createHeldModel();
    const limits = { tokensPerDay: 1_000, runsAtOnce: null, messagesPerMinute: null };
    const { client } = await openThread(limited(limits, { model: held }));
    const threads = await Promise.all(Array.from({ length: 12 }, () => client.newThread()));
    const responses = await Promise.all(
      threads.map((threadId) => client.ask(threadId, { id: "q1", content: "в".repeat(1_600) })),
    );
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 3 }, () => 200),
      ...Array.from({ length: 9 }, () => 429),
    ]);
    await held.asked(3);
    expect(held.requests).toHaveLength(3);
  });
});

function ownerOf(cookie: string | undefined) {
  return { projectId: "default", visitorId: cookie?.split("=")[1]?.split(".")[0] ?? "" };
}
