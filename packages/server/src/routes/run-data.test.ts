import { LLMock } from "@copilotkit/aimock";
import { tool } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { StreamEvent } from "@nitka/protocol";
import { eventually } from "../test-waits/eventually.contract.ts";
import { eventsOf, parseFrames, tap } from "../contract/server.contract.ts";
import { ownerOf } from "../contract/instances.contract.ts";
import { finish, threadOpener } from "../contract/thread.contract.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import { exportOf } from "../storage/contract/fixture.contract.ts";

const { openThread, openHeld } = threadOpener();
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const order = (sum: number): StreamEvent => ({ type: "data", name: "order", id: "o1", data: { sum } });
const onWire = (sum: number) => ({ type: "data-order", id: "o1", data: { sum } });

describe("content of the host's own kind", () => {
  it("is streamed, stored, replaced by its id, listed, exported, rejoined and replayed, and not sent to the model", async () => {
    const { client, threadId, model, storage } = await openHeld();
    const stream = tap(await client.ask(threadId, { id: "q1" }));
    await model.asked(1);
    model.say(
      order(5),
      order(7),
      { type: "data", name: "note", data: "a" },
      { type: "data", name: "note", data: null },
    );
    await eventually(() => expect(stream.text()).toContain("note"));
    const joined = await client.join(threadId);
    finish(model);
    const content = [
      { type: "data", name: "order", id: "o1", data: { sum: 7 } },
      { type: "data", name: "note", data: "a" },
      { type: "data", name: "note", data: null },
      { type: "text", text: "Да" },
    ];
    await stream.done;
    const data = parseFrames(stream.text()).map((frame) => frame.data);
    expect(data.slice(1, 5)).toEqual([
      onWire(5),
      onWire(7),
      { type: "data-note", data: "a" },
      { type: "data-note", data: null },
    ]);
    expect((await eventsOf(joined)).slice(0, 5)).toEqual(data.slice(0, 5));
    expect((await client.messages(threadId)).at(-1)?.content).toEqual(content);
    const [thread] = (await exportOf(storage, ownerOf(client))).threads;
    expect(thread).toMatchObject({ messages: [{}, { content }] });
    expect(await eventsOf(await client.ask(threadId, { id: "q1" }))).toContainEqual(onWire(7));
    await client.ask(threadId, { id: "q2" });
    await model.asked(2);
    expect(model.requests[1]?.history[1]?.content).toEqual([{ type: "text", text: "Да" }]);
  });

  it("can be a complete answer, and is not sent to the model later", async () => {
    const { client, threadId, model } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.say(order(5));
    model.end();
    await eventsOf(stream);
    expect((await client.messages(threadId)).at(-1)).toMatchObject({ status: { type: "complete" } });
    await client.ask(threadId, { id: "q2" });
    await model.asked(2);
    expect(model.requests[1]?.history.map(({ id }) => id)).toEqual(["q1", "q2"]);
  });

  it("is left out when it is too large, not JSON, or named like an event of the stream; the log says why", async () => {
    const { client, threadId, model, log } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    const circle: Record<string, unknown> = {};
    circle["circle"] = circle;
    model.say(
      { type: "data", name: "large", data: "x".repeat(100_000) },
      { type: "data", name: "circle", data: circle },
      { type: "data", name: "title", data: { title: "Взлом" } },
      { type: "data", name: "ping", data: {} },
      ...Array.from({ length: 12 }, (_, n): StreamEvent => ({
        type: "data",
        name: "n",
        data: [n, "x".repeat(90_000)],
      })),
    );
    finish(model);
    const events = await eventsOf(stream);
    expect(events.filter((event) => (event as { type?: string }).type === "data-n")).toHaveLength(11);
    expect((await client.threads())[0]?.title).not.toBe("Взлом");
    const lines = log
      .filter(({ text }) => text.includes("left out"))
      .map(({ fields }) => [fields["name"], fields["reason"]]);
    expect(lines).toEqual([
      ["large", "it has 100031 characters: at most 100000 are kept"],
      ["circle", "it is not JSON"],
      ["title", "its name is one of the stream's own events"],
      ["ping", "its name is one of the stream's own events"],
      ["n", "the answer holds at most 1000000 characters of content"],
    ]);
  });

  it("is written by a tool while it runs", async () => {
    const upstream = new LLMock({ port: 0 });
    upstream.on({ hasToolResult: true }, { content: "Готово" });
    upstream.on({ predicate: () => true }, { toolCalls: [{ id: "c1", name: "order", arguments: "{}" }] });
    await upstream.start();
    stops.push(() => upstream.stop());
    const paid = Promise.withResolvers<void>();
    const model = createOpenAiCompatibleModel({
      model: "m",
      baseUrl: upstream.url,
      openTools: async (_, { write, asker }) => ({
        tools: {
          order: tool({
            inputSchema: z.object({}),
            execute: async () => {
              write({ name: "order", id: "o1", data: { state: "new", anonymous: asker?.anonymous } });
              await paid.promise;
              write({ name: "order", id: "o1", data: { state: "paid" } });
              return "ok";
            },
          }),
        },
      }),
    });
    const { client, threadId } = await openThread({ model });
    const stream = tap(await client.ask(threadId, { id: "q1" }));
    await eventually(() => expect(stream.text()).toContain('"state":"new","anonymous":true'));
    paid.resolve();
    await stream.done;
    const types = parseFrames(stream.text()).flatMap(({ data }) => (data as { type?: string }).type ?? []);
    expect(types.slice(types.indexOf("tool-input-available"), types.indexOf("tool-output-available") + 1)).toEqual([
      "tool-input-available",
      "data-order",
      "data-order",
      "tool-output-available",
    ]);
    expect((await client.messages(threadId)).at(-1)?.content).toMatchObject([
      { type: "tool-call", result: "ok" },
      { type: "data", name: "order", id: "o1", data: { state: "paid" } },
      { type: "text", text: "Готово" },
    ]);
  });
});
