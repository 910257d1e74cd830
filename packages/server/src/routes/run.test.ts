import { describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { eventsOf, framesOf, greeter, refusalOf, tap } from "../contract/server.contract.ts";
import { finish, threadOpener, wordsOf } from "../contract/thread.contract.ts";

const { openHeld, openThread } = threadOpener();

describe("asking", () => {
  it("streams start, the model's events, the title, finish and [DONE]", async () => {
    const { client, threadId } = await openThread();
    const response = await client.ask(threadId, { id: "q1" });
    expect({ status: response.status, ...pick(response.headers) }).toEqual({
      status: 200,
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "x-vercel-ai-ui-message-stream": "v1",
    });
    const messageId = expect.stringMatching(/^[0-9a-z]{8}$/);
    expect(await eventsOf(response)).toEqual([
      { type: "start", messageId },
      { type: "text-start", id: "t1" },
      { type: "text-delta", id: "t1", delta: "При" },
      { type: "text-delta", id: "t1", delta: "вет" },
      { type: "text-end", id: "t1" },
      { type: "data-title", data: { title: "Приветствие" }, transient: true },
      { type: "finish", finishReason: "stop" },
      "[DONE]",
    ]);
  });

  it("streams only data lines, unless the reader asks for ids", async () => {
    const { client, threadId } = await openThread();
    const plain = await (await client.ask(threadId, { id: "q1" })).text();
    expect(plain.split("\n").filter((line) => line !== "" && !line.startsWith("data: "))).toEqual([]);
    const frames = await framesOf(await client.ask(threadId, { id: "q2" }, {}, "?cursor=1"));
    const runId = frames[0]?.id?.split(":")[0];
    expect(frames.map(({ id }) => id)).toEqual([...[1, 2, 3, 4, 5, 6].map((seq) => `${runId}:${seq}`), undefined]);
  });

  it("stores the question and its answer, each with its parent", async () => {
    const { client, threadId } = await openThread();
    await eventsOf(await client.ask(threadId, { id: "q1", content: "Привет" }));
    await eventsOf(await client.ask(threadId, { id: "q2", content: [{ type: "text", text: "Ещё" }] }));
    const messages = await client.messages(threadId);
    const [, first, , second] = messages;
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const content = [{ type: "text", text: "Привет" }];
    const status = { type: "complete" };
    expect(messages).toEqual([
      { id: "q1", role: "user", content: "Привет", parentId: null, createdAt },
      { id: first?.id, role: "assistant", content, parentId: "q1", createdAt, status },
      { id: "q2", role: "user", content: [{ type: "text", text: "Ещё" }], parentId: first?.id, createdAt },
      { id: second?.id, role: "assistant", content, parentId: "q2", createdAt, status },
    ]);
  });

  it("has stored the answer before finish", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = tap(await client.ask(threadId, { id: "q1" }));
    await model.asked(1);
    let statusAtFinish: unknown;
    finish(model);
    await eventually(() => expect(stream.text()).toContain('"finish"'));
    statusAtFinish = (await client.messages(threadId)).at(-1)?.status;
    expect(statusAtFinish).toEqual({ type: "complete" });
  });

  it("shows the current state of a running answer in the history, also while it waits for its title", async () => {
    const title = Promise.withResolvers<string>();
    const model = createHeldModel({ title: () => title.promise });
    const { client, threadId } = await openHeld(model, { timings: { titleBeforeFinishMs: 5_000 } });
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    const answer = async () => (await client.messages(threadId)).at(-1);
    for (const words of ["Пол", "Полсло"]) {
      model.write(words.slice(words.length - 3));
      await eventually(async () => expect(wordsOf((await answer())?.content)).toBe(words));
    }
    model.end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await answer()).toMatchObject({ status: { type: "running" }, content: [{ text: "Полсло" }] });
    title.resolve("Слово");
    await stream.text();
    expect((await answer())?.status).toEqual({ type: "complete" });
  });

  it("gives the model the instructions and only the question's branch", async () => {
    const { model, client, threadId } = await openHeld(undefined, { project: { instructions: "Будь краток" } });
    for (const n of [1, 2]) {
      const stream = await client.ask(threadId, { id: `q${n}`, content: `Вопрос ${n}` });
      await model.asked(n);
      finish(model, `Ответ ${n}`);
      await eventsOf(stream);
    }
    await client.ask(threadId, { id: "q3", content: "Иначе", parentId: null });
    await model.asked(3);
    const said = model.requests.map(({ instructions, history }) => ({
      instructions,
      history: history.map(({ role, content }) => [role, wordsOf(content)]),
    }));
    const instructions = "Будь краток";
    expect(said).toEqual([
      { instructions, history: [["user", "Вопрос 1"]] },
      {
        instructions,
        history: [
          ["user", "Вопрос 1"],
          ["assistant", "Ответ 1"],
          ["user", "Вопрос 2"],
        ],
      },
      { instructions, history: [["user", "Иначе"]] },
    ]);
  });

  it("uses the model that the visitor chose, and refuses an unknown one", async () => {
    const second = createHeldModel({ id: "second" });
    const { client, threadId } = await openThread({ project: { models: [greeter, second] } });
    await client.ask(threadId, { id: "q1" }, { model: "second" });
    await second.asked(1);
    second.end();
    const response = await client.ask(threadId, { id: "q2" }, { model: "third" });
    expect(await refusalOf(response)).toBe("422 unprocessable");
    expect(await client.messages(threadId)).toHaveLength(2);
  });
});

describe("regenerating", () => {
  it("makes a sibling of the answer, without a second question", async () => {
    const { client, threadId } = await openThread();
    await eventsOf(await client.ask(threadId, { id: "q1", content: "Раз" }));
    const again = await client.ask(threadId, { id: "q1", content: "Два" }, { trigger: "regenerate-message" });
    const events = await eventsOf(again);
    const messages = await client.messages(threadId);
    expect(messages.map(({ role, parentId, content }) => [role, parentId, wordsOf(content)])).toEqual([
      ["user", null, "Раз"],
      ["assistant", "q1", "Привет"],
      ["assistant", "q1", "Привет"],
    ]);
    expect(events[0]).toEqual({ type: "start", messageId: messages.at(-1)?.id });
  });

  it("joins the run when the question's answer is being written", async () => {
    const { model, client, threadId } = await openHeld();
    const first = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    const second = await client.ask(threadId, { id: "q1" }, { trigger: "regenerate-message" });
    finish(model);
    expect(await second.text()).toBe(await first.text());
    expect(model.requests).toHaveLength(1);
  });
});

function pick(headers: Headers): Record<string, string> {
  const names = new Set(["content-type", "cache-control", "x-accel-buffering", "x-vercel-ai-ui-message-stream"]);
  return Object.fromEntries([...headers].filter(([name]) => names.has(name)));
}
