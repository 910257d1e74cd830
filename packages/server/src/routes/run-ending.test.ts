import { describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { eventsOf } from "../contract/server.contract.ts";
import { threadOpener, wordsOf } from "../contract/thread.contract.ts";
import { withFallback } from "../model/fallback-model.ts";
import { ModelError } from "../model/model.ts";
import type { Model } from "../model/model.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import { hurriedClock } from "../model/testing/manual-clock.ts";
import { createScriptedFetch, refuses, says } from "../model/testing/scripted-fetch.ts";
import { createScriptedModel, saying } from "../model/testing/scripted-model.ts";
import type { ScriptLine } from "../model/testing/scripted-model.ts";

const { openHeld, openThread } = threadOpener();

describe("cancelling", () => {
  it("stops the model, sends abort to the readers, and stores the written part", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.write("Нача");
    await eventually(async () => expect(wordsOf((await client.messages(threadId)).at(-1)?.content)).toBe("Нача"));
    expect(await (await client.post(`threads/${threadId}/run/cancel`, {})).json()).toEqual({ cancelled: true });
    expect(model.requests[0]?.signal.aborted).toBe(true);
    expect((await eventsOf(stream)).slice(-2)).toEqual([{ type: "abort", reason: "cancelled" }, "[DONE]"]);
    const answer = (await client.messages(threadId)).at(-1);
    expect([answer?.status, wordsOf(answer?.content)]).toEqual([{ type: "incomplete", reason: "cancelled" }, "Нача"]);
  });

  it("responds when the run has ended, so that the next question is accepted", async () => {
    const { model, client, threadId } = await openHeld();
    await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    await client.post(`threads/${threadId}/run/cancel`, {});
    expect((await client.ask(threadId, { id: "q2" })).status).toBe(200);
  });

  it("does not wait for a model that does not stop", async () => {
    const { model, client, threadId } = await openHeld(createHeldModel({ stubborn: true }));
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    await client.post(`threads/${threadId}/run/cancel`, {});
    model.write("Поздно");
    model.end();
    expect(await eventsOf(stream)).toEqual([
      { type: "start", messageId: expect.any(String) },
      { type: "abort", reason: "cancelled" },
      "[DONE]",
    ]);
    expect((await client.messages(threadId)).at(-1)?.content).toEqual([]);
  });

  it("does nothing without a run", async () => {
    const { client, threadId } = await openThread();
    expect(await (await client.post(`threads/${threadId}/run/cancel`, {})).json()).toEqual({ cancelled: false });
  });
});

describe("a run that fails", () => {
  it("is a stream with status 200, even before its first word", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.fail(new ModelError("upstream_limited", "Слишком много запросов. Подождите минуту."));
    expect([stream.status, await eventsOf(stream)]).toEqual([
      200,
      [
        { type: "start", messageId: expect.any(String) },
        { type: "data-error", data: { code: "upstream_limited" }, transient: true },
        { type: "error", errorText: "Слишком много запросов. Подождите минуту." },
        "[DONE]",
      ],
    ]);
    expect((await client.messages(threadId)).at(-1)).toMatchObject({
      content: [],
      status: {
        type: "incomplete",
        reason: "error",
        error: "Слишком много запросов. Подождите минуту.",
        code: "upstream_limited",
      },
    });
  });

  it("keeps the part that was written before the failure", async () => {
    const { model, client, threadId, log } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.write("Полов");
    model.fail(new TypeError("secret of the visitor"));
    const errorText = "Не получилось ответить: на сервере что-то сломалось. Попробуйте ещё раз.";
    expect((await eventsOf(stream)).slice(1)).toEqual([
      { type: "text-delta", id: "t1", delta: "Полов" },
      { type: "data-error", data: { code: "failed" }, transient: true },
      { type: "error", errorText },
      "[DONE]",
    ]);
    expect((await client.messages(threadId)).at(-1)).toMatchObject({
      content: [{ type: "text", text: "Полов" }],
      status: { type: "incomplete", reason: "error", error: errorText, code: "failed" },
    });
    expect(log.filter(({ level }) => level === "warn").map(({ text }) => text)).toEqual(["run failed"]);
  });

  it("is one whose model writes nothing", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.end();
    expect((await eventsOf(stream)).slice(1)).toEqual([
      { type: "data-error", data: { code: "empty" }, transient: true },
      { type: "error", errorText: "Модель вернула пустой ответ. Попробуйте ещё раз." },
      "[DONE]",
    ]);
  });

  it("is one whose model only thinks: its thoughts are kept, and no turn of the next question", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.say({ type: "reasoning-delta", id: "r1", delta: "Хм" }, { type: "text-delta", id: "t1", delta: "\n" });
    model.end();
    expect((await eventsOf(stream)).slice(-3)).toEqual([
      { type: "data-error", data: { code: "empty" }, transient: true },
      { type: "error", errorText: "Модель вернула пустой ответ. Попробуйте ещё раз." },
      "[DONE]",
    ]);
    const answer = (await client.messages(threadId)).at(-1);
    expect(answer?.content).toMatchObject([{ type: "reasoning", text: "Хм" }, { type: "text" }]);
    await client.ask(threadId, { id: "q2", parentId: answer?.id ?? "" });
    await model.asked(2);
    expect(model.requests[1]?.history.map(({ id }) => id)).toEqual(["q1", "q2"]);
  });

  it("is one whose model sends an error event; the model's own start and finish are dropped", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.say({ type: "start", messageId: "mine" }, { type: "text-delta", delta: "Пол" }, { type: "finish" });
    model.say({ type: "error", errorText: "Не вышло" });
    expect(await eventsOf(stream)).toEqual([
      { type: "start", messageId: (await client.messages(threadId)).at(-1)?.id },
      { type: "text-delta", delta: "Пол" },
      { type: "data-error", data: { code: "failed" }, transient: true },
      { type: "error", errorText: "Не вышло" },
      "[DONE]",
    ]);
  });

  it("fails when the upstream is silent for too long", async () => {
    const model = createScriptedModel({ script: [...saying("Начало"), { silence: true }] });
    const { client, threadId } = await openThread({ model, project: { limits: { upstreamIdleMs: 50 } } });
    const events = await eventsOf(await client.ask(threadId, { id: "q1" }));
    expect(events.slice(-3)).toEqual([
      { type: "data-error", data: { code: "silent" }, transient: true },
      { type: "error", errorText: expect.any(String) },
      "[DONE]",
    ]);
    expect((await client.messages(threadId)).at(-1)?.status).toMatchObject({ reason: "error", code: "silent" });
  });

  it("is not silent while several models are asked in turn, each for the time of the limit, and the log names them", async () => {
    const silent = ["a", "b", "c"].map((id) => createScriptedModel({ id, script: [{ silence: true }] }));
    const late: readonly ScriptLine[] = [{ at: 450, event: { type: "start-step" } }, ...saying("Наконец")];
    const model = silent.reduceRight<Model>(
      (fallback, each) => withFallback(each, fallback),
      createScriptedModel({ id: "d", script: late }),
    );
    const project = { limits: { upstreamIdleMs: 500 } };
    const { client, threadId, log } = await openThread({ model, project });
    const events = await eventsOf(await client.ask(threadId, { id: "q1" }));
    expect(events.at(-2)).toMatchObject({ type: "finish" });
    const told = log.filter(({ text }) => text === "a fallback answers in place of a model");
    expect(told.map(({ fields }) => fields)).toMatchObject(
      ["b", "c", "d"].map((fallbackId) => ({ fallbackId, code: "silent" })),
    );
  });

  it("has a log line for each retried request, without a word of the service", async () => {
    const tooLong = refuses(400, "The maximum context length does not fit a secret");
    const responses = [says("Да"), refuses(503, "secret"), tooLong];
    const upstream = createScriptedFetch(hurriedClock, (count) => responses[count] ?? says("Вот"));
    const model = createOpenAiCompatibleModel({
      model: "m",
      baseUrl: "http://upstream/v1",
      fetch: upstream.fetch,
      clock: hurriedClock,
      title: async () => undefined,
    });
    const { client, threadId, log } = await openThread({ model });
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const parentId = (await client.messages(threadId)).at(-1)?.id ?? null;
    await eventsOf(await client.ask(threadId, { id: "q2", parentId }));
    const told = log.filter(({ text }) => text === "a request to a model is retried");
    const ids = { runId: expect.any(String) as unknown, threadId, requestId: expect.any(String) as unknown };
    const failed = { reason: "failed", code: "upstream_unavailable", status: 503, attempt: 2, waitMs: 500 };
    expect(told.map(({ level, fields }) => [level, fields])).toEqual([
      ["warn", { ...ids, modelId: "m", ...failed }],
      ["warn", { ...ids, modelId: "m", reason: "half_history" }],
    ]);
  });

  it("is stopped by the server when its model does not watch for silence", async () => {
    const { client, threadId } = await openHeld(createHeldModel({ stubborn: true }), {
      project: { limits: { upstreamIdleMs: 10 } },
    });
    const events = await eventsOf(await client.ask(threadId, { id: "q1" }));
    expect(events.slice(-3)).toEqual([
      { type: "data-error", data: { code: "silent" }, transient: true },
      { type: "error", errorText: "Модель слишком долго молчит. Попробуйте ещё раз." },
      "[DONE]",
    ]);
  });

  it("is replayed with its code when its question is posted again", async () => {
    const { model, client, threadId } = await openHeld();
    const failed = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.fail(new ModelError("context_too_long", "Слишком длинно"));
    const first = await eventsOf(failed);
    expect(await eventsOf(await client.ask(threadId, { id: "q1" }))).toEqual(first);
    expect(first.slice(1)).toEqual([
      { type: "data-error", data: { code: "context_too_long" }, transient: true },
      { type: "error", errorText: "Слишком длинно" },
      "[DONE]",
    ]);
  });

  it("can be regenerated: the model gets the question, and not the empty answer", async () => {
    const { model, client, threadId } = await openHeld();
    const failed = await client.ask(threadId, { id: "q1", content: "Как дела?" });
    await model.asked(1);
    model.fail(new ModelError("upstream_unavailable", "Недоступен"));
    await eventsOf(failed);
    await client.ask(threadId, { id: "q2", content: "Ау?" });
    await model.asked(2);
    expect(model.requests[1]?.history.map(({ id }) => id)).toEqual(["q1", "q2"]);
  });
});
