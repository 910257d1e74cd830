import { describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { eventsOf, parseFrames, tap } from "../contract/server.contract.ts";
import { finish, threadOpener } from "../contract/thread.contract.ts";
import { ModelError } from "../model/model.ts";

const { openHeld, openThread } = threadOpener();

describe("the first title", () => {
  it("comes once, in the first stream, and is in the list", async () => {
    const { client, threadId } = await openThread();
    const title = { type: "data-title", data: { title: "Приветствие" }, transient: true };
    expect(await eventsOf(await client.ask(threadId, { id: "q1" }))).toContainEqual(title);
    expect(await client.threads()).toMatchObject([{ threadId, title: "Приветствие" }]);
    expect(await eventsOf(await client.ask(threadId, { id: "q2" }))).not.toContainEqual(title);
  });

  it("is made from the question's words when the model gives none or fails", async () => {
    const titles = [async () => undefined, async () => "  \n", async () => Promise.reject(new Error("no"))];
    for (const title of titles) {
      const model = createHeldModel({ title });
      const { client, threadId } = await openHeld(model);
      const content = "Расскажи, пожалуйста, какая погода будет завтра в Сан-Франциско и его окрестностях";
      const stream = await client.ask(threadId, { id: "q1", content });
      await model.asked(1);
      finish(model);
      await eventsOf(stream);
      const [thread] = await client.threads();
      expect(thread?.title).toBe("Расскажи, пожалуйста, какая погода будет завтра в…");
    }
  });

  it("does not replace a title that the visitor sets meanwhile", async () => {
    const model = createHeldModel({ title: async () => "От модели" });
    const { client, threadId } = await openHeld(model);
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    await client.post(`threads/${threadId}/rename`, { title: "Моё" });
    finish(model);
    const types = (await eventsOf(stream)).map((event) => (event as { readonly type?: string }).type);
    expect(types).toEqual(["start", "text-delta", "finish", undefined]);
    expect(await client.threads()).toMatchObject([{ title: "Моё" }]);
  });

  it("comes after finish and before [DONE] when it is slow", async () => {
    const title = Promise.withResolvers<string>();
    const model = createHeldModel({ title: () => title.promise });
    const { client, threadId } = await openHeld(model, { timings: { titleBeforeFinishMs: 20, titleMs: 5_000 } });
    const stream = tap(await client.ask(threadId, { id: "q1" }));
    await model.asked(1);
    finish(model);
    await eventually(() => expect(stream.text()).toContain('"finish"'));
    expect((await client.ask(threadId, { id: "q2" })).status).toBe(200);
    title.resolve("Поздний");
    await stream.done;
    expect(
      parseFrames(stream.text())
        .slice(-3)
        .map(({ data }) => data),
    ).toEqual([
      { type: "finish", finishReason: "stop" },
      { type: "data-title", data: { title: "Поздний" }, transient: true },
      "[DONE]",
    ]);
    expect(await client.threads()).toMatchObject([{ title: "Поздний" }]);
  });

  it("is abandoned after titleMs", async () => {
    const model = createHeldModel({ title: () => new Promise(() => undefined) });
    // Two times, so that the end of the first wait is decided before the second, even on a busy machine.
    const { client, threadId } = await openHeld(model, { timings: { titleBeforeFinishMs: 1, titleMs: 50 } });
    const stream = await client.ask(threadId, { id: "q1", content: "Привет!" });
    await model.asked(1);
    finish(model);
    expect((await eventsOf(stream)).slice(-2)).toEqual([
      { type: "data-title", data: { title: "Привет!" }, transient: true },
      "[DONE]",
    ]);
  });

  it("is not made for a failed answer", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.fail(new ModelError("upstream_unavailable", "Недоступен"));
    await eventsOf(stream);
    expect(await client.threads()).toEqual([{ threadId, updatedAt: expect.any(String) }]);
  });
});
