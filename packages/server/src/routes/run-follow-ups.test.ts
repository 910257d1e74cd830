import { json } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Suggestion } from "@nitka/protocol";
import { eventually } from "../test-waits/eventually.contract.ts";
import { serveForTest } from "../contract/listen.contract.ts";
import { eventsOf, parseFrames, tap } from "../contract/server.contract.ts";
import type { OpenOptions } from "../contract/server.contract.ts";
import { finish, threadOpener } from "../contract/thread.contract.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { ModelError } from "../model/model.ts";
import type { Model, TitleRequest } from "../model/model.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";

const { openThread, openHeld } = threadOpener();
const more: readonly Suggestion[] = [{ title: "Доставка", prompt: "А доставка?" }];
const told = { type: "data-suggestions", data: { suggestions: more } };
const end = { type: "finish", finishReason: "stop" };

/** A model whose answers the test writes, and which makes suggestions. */
function suggesting(suggest: NonNullable<Model["suggest"]>) {
  const requests: TitleRequest[] = [];
  const model = createHeldModel({ title: async () => "Название" });
  return {
    model: Object.assign(model, {
      suggest: (request: TitleRequest) => {
        requests.push(request);
        return suggest(request);
      },
    }),
    requests,
  };
}

function openSuggesting(suggest: NonNullable<Model["suggest"]>, options: OpenOptions = {}) {
  const { model, requests } = suggesting(suggest);
  return openHeld(model, { project: { followUps: true }, ...options }).then((opened) => ({ ...opened, requests }));
}

describe("what to ask next", () => {
  it("does not delay the figure of active runs, which ends with the answer", async () => {
    const made = Promise.withResolvers<readonly Suggestion[]>();
    const { client, threadId, model, requests } = await openSuggesting(() => made.promise);
    const active = async () => /^nitka_active_runs .*$/m.exec(await (await client.get("/metrics")).text())?.[0];
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    expect(await active()).toBe("nitka_active_runs 1");
    finish(model);
    await eventually(() => expect(requests).toHaveLength(1));
    expect(await active()).toBe("nitka_active_runs 0");
    made.resolve(more);
    expect(await eventsOf(stream)).toContainEqual(told);
  });

  it.each<[string, OpenOptions]>([
    ["the process", { maxRuns: 1 }],
    ["its address", { project: { followUps: true, limits: { addressRunsAtOnce: 1 } } }],
    ["its project", { project: { followUps: true, limits: { projectRunsAtOnce: 1 } } }],
  ])("takes no place among the runs of %s: another question begins meanwhile", async (_, options) => {
    const made = Promise.withResolvers<readonly Suggestion[]>();
    const { client, threadId, model, requests } = await openSuggesting(() => made.promise, options);
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    finish(model);
    await eventually(() => expect(requests).toHaveLength(1));
    expect((await client.ask(await client.newThread(), { id: "q2" })).status).toBe(200);
    made.resolve(more);
    expect(await eventsOf(stream)).toContainEqual(told);
  });

  it("comes after finish and before [DONE], and is stored with the answer", async () => {
    const { client, threadId, model, requests } = await openSuggesting(async () => more);
    const stream = await client.ask(threadId, { id: "q1", content: "Сколько?" });
    await model.asked(1);
    finish(model);
    expect((await eventsOf(stream)).slice(-3)).toEqual([end, told, "[DONE]"]);
    expect((await client.messages(threadId)).at(-1)).toMatchObject({ status: { type: "complete" }, suggestions: more });
    expect(requests[0]?.history).toMatchObject([{ content: "Сколько?" }, { content: [{ text: "Да" }] }]);
    expect((await eventsOf(await client.ask(threadId, { id: "q1" }))).slice(-3)).toEqual([told, end, "[DONE]"]);
  });

  it("is not made without the project's setting, nor after an answer that failed or was cancelled", async () => {
    const off = await openSuggesting(async () => more, { project: {} });
    const quiet = await off.client.ask(off.threadId, { id: "q1" });
    await off.model.asked(1);
    finish(off.model);
    await eventsOf(quiet);
    const on = await openSuggesting(async () => more);
    const failed = await on.client.ask(on.threadId, { id: "q1" });
    await on.model.asked(1);
    on.model.write("Да");
    on.model.fail(new ModelError("upstream_unavailable", "Недоступен"));
    await eventsOf(failed);
    const stopped = await on.client.ask(on.threadId, { id: "q2" });
    await on.model.asked(2);
    on.model.write("Да");
    await on.client.post(`threads/${on.threadId}/run/cancel`, {});
    await eventsOf(stopped);
    expect([off.requests, on.requests]).toEqual([[], []]);
  });

  it("is the model's own if it has some: bounded, and stored with the answer", async () => {
    const { client, threadId, model, requests } = await openSuggesting(async () => more);
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    const own = Array.from({ length: 6 }, (_, n) => ({ title: `${n}`, prompt: "x".repeat(3_000) }));
    model.say({ type: "data-suggestions", suggestions: [{ title: " ", prompt: "a" }, ...own] });
    finish(model);
    const events = await eventsOf(stream);
    const kept = own.slice(0, 4).map(({ title }) => ({ title, prompt: "x".repeat(1_000) }));
    expect(events).toContainEqual({ type: "data-suggestions", data: { suggestions: kept } });
    expect((await client.messages(threadId)).at(-1)?.suggestions).toEqual(kept);
    expect(requests).toEqual([]);
  });

  it("is abandoned when the model is late, fails or finds nothing; the answer is stored long before", async () => {
    for (const suggest of [
      () => new Promise<never>(() => undefined),
      () => Promise.reject(new Error("no")),
      async () => [],
      async () => [{ title: "", prompt: "" }],
    ]) {
      const { client, threadId, model } = await openSuggesting(suggest, { timings: { followUpsMs: 300 } });
      const stream = tap(await client.ask(threadId, { id: "q1" }));
      await model.asked(1);
      finish(model);
      await eventually(() => expect(stream.text()).toContain('"finish"'));
      expect((await client.messages(threadId)).at(-1)?.status).toEqual({ type: "complete" });
      await stream.done;
      expect(parseFrames(stream.text()).slice(-2)).toEqual([{ data: end }, { data: "[DONE]" }]);
      expect((await client.messages(threadId)).at(-1)).not.toHaveProperty("suggestions");
    }
  });

  it("is cancelled when the thread gets its next question, and when it is archived", async () => {
    const { client, threadId, model, requests } = await openSuggesting(() => new Promise(() => undefined), {
      timings: { followUpsMs: 60_000 },
    });
    const first = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    finish(model);
    await eventually(() => expect(requests).toHaveLength(1));
    const second = await client.ask(threadId, { id: "q2" });
    expect((await eventsOf(first)).slice(-2)).toEqual([end, "[DONE]"]);
    expect(requests[0]?.signal.aborted).toBe(true);
    await model.asked(2);
    finish(model);
    await eventually(() => expect(requests).toHaveLength(2));
    await client.post(`threads/${threadId}/archive`, {});
    expect((await eventsOf(second)).slice(-2)).toEqual([end, "[DONE]"]);
    expect(requests[1]?.signal.aborted).toBe(true);
  });

  it("costs a request without tools, whose tokens are counted separately", async () => {
    const bodies: { readonly messages: readonly { readonly content: string }[]; readonly tools?: unknown }[] = [];
    const url = await serveForTest((request, response) => {
      void json(request).then((body) => {
        const asked = body as (typeof bodies)[number] & { readonly stream?: boolean };
        bodies.push(asked);
        const content = asked.messages[0]?.content.includes("suggestions") ? '["А доставка?"]' : "Ясно";
        const choice = asked.stream ? { delta: { content } } : { message: { role: "assistant", content } };
        const usage = { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34 };
        const answer = JSON.stringify({ choices: [{ ...choice, finish_reason: "stop" }], usage });
        response.writeHead(200, { "content-type": asked.stream ? "text/event-stream" : "application/json" });
        response.end(asked.stream ? `data: ${answer}\n\ndata: [DONE]\n\n` : answer);
      });
    });
    const model = createOpenAiCompatibleModel({ model: "m", baseUrl: `${url}/v1` });
    const { client, threadId, server: chat } = await openThread({ model, project: { followUps: true } });
    await eventsOf(await client.ask(threadId, { id: "q1", content: "Сколько?" }));
    const asked = bodies.findLast(({ messages }) => messages[0]?.content.includes("suggestions"));
    expect(asked?.messages[1]?.content).toBe("<visitor>\nСколько?\n</visitor>\n<assistant>\nЯсно\n</assistant>");
    expect(asked).not.toHaveProperty("tools");
    expect((await client.messages(threadId)).at(-1)?.suggestions).toEqual([
      { title: "А доставка?", prompt: "А доставка?" },
    ]);
    const page = await (await chat.fetch(new Request("http://nitka.test/metrics"))).text();
    expect(page).toContain(
      'nitka_tokens_total{project="default",model="m",purpose="suggestions",direction="input"} 30',
    );
  });
});
