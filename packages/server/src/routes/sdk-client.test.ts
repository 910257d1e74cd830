import { DefaultChatTransport, readUIMessageStream } from "ai";
import type { UIMessage, UIMessageChunk } from "ai";
import { describe, expect, it } from "vitest";
import { createCallingModel } from "../contract/calling-model.contract.ts";
import { eventually } from "../test-waits/eventually.contract.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { recordedAnswer } from "../contract/recorded-answer.contract.ts";
import type { Client } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { ModelError } from "../model/model.ts";
import { createScriptedModel } from "../model/testing/scripted-model.ts";

const { openThread, openHeld } = threadOpener();

/** The AI SDK's own transport, which refuses every chunk that its protocol does not contain. */
function sdkTransport(client: Client, threadId: string) {
  return new DefaultChatTransport<UIMessage>({
    api: "http://nitka.test/",
    fetch: async (_, init) => {
      const { body } = init ?? {};
      return client.post(`threads/${threadId}/run/stream`, typeof body === "string" ? JSON.parse(body) : {});
    },
    prepareSendMessagesRequest: ({ messages }) => ({
      body: { messages: messages.slice(-1).map(({ id }) => ({ id, role: "user", content: "Привет" })) },
    }),
  });
}

async function ask(client: Client, threadId: string): Promise<ReadableStream<UIMessageChunk>> {
  const messages: UIMessage[] = [{ id: "q1", role: "user", parts: [{ type: "text", text: "Привет" }] }];
  return sdkTransport(client, threadId).sendMessages({
    chatId: threadId,
    messages,
    trigger: "submit-message",
    messageId: undefined,
    abortSignal: undefined,
  });
}

/** The message that the SDK makes from the stream, and the errors that it reports. */
async function read(stream: ReadableStream<UIMessageChunk>) {
  const errors: string[] = [];
  let message: UIMessage | undefined;
  const onError = (error: unknown) => errors.push(error instanceof Error ? error.message : String(error));
  for await (const state of readUIMessageStream({ stream, onError })) message = state;
  return { message, errors };
}

describe("a client of the AI SDK", () => {
  it("reads an answer with every kind of part, and gets the same from its replay", async () => {
    const script = recordedAnswer.map((event) => ({ event }));
    const { client, threadId } = await openThread({ model: createScriptedModel({ script, title: "Погода" }) });
    const live = await read(await ask(client, threadId));
    expect(live.errors).toEqual([]);
    expect(live.message?.parts.map(({ type }) => type)).toEqual([
      "step-start",
      "reasoning",
      "tool-weather",
      "step-start",
      "text",
      "source-url",
      "source-document",
      "file",
      "text",
    ]);
    const replayed = await read(await ask(client, threadId));
    expect(replayed.errors).toEqual([]);
    const kinds = live.message?.parts.map(({ type }) => type).filter((type) => type !== "step-start");
    expect(replayed.message?.parts.map(({ type }) => type)).toEqual(kinds);
    expect(replayed.message?.id).toBe(live.message?.id);
  });

  it("reads a tool of the page, an approval and its denial", async () => {
    const calls = ["c1", "c2", "c3"].map((toolCallId, index) => ({
      kind: index === 0 ? ("page" as const) : ("approval" as const),
      toolCallId,
      toolName: "buy",
      input: { sku: "cup" },
    }));
    const model = createCallingModel(calls);
    const { client, threadId } = await openThread({ model });
    const stream = await ask(client, threadId);
    const post = async (body: object) => (await client.post(`threads/${threadId}/run/tool`, body)).status;
    await eventually(async () => expect(await post({ toolCallId: "c1", output: { count: 1 } })).toBe(200));
    await eventually(async () => expect(await post({ toolCallId: "c2", approved: true })).toBe(200));
    await eventually(async () => expect(await post({ toolCallId: "c3", approved: false })).toBe(200));
    const { message, errors } = await read(stream);
    expect(errors).toEqual([]);
    const tools = message?.parts.filter(({ type }) => type === "tool-buy");
    expect(tools).toMatchObject([
      { toolCallId: "c1", state: "output-available", output: { count: 1 } },
      { toolCallId: "c2", state: "output-available", output: "ok" },
      { toolCallId: "c3", state: "output-denied" },
    ]);
    const replayed = await read(await ask(client, threadId));
    expect(replayed.errors).toEqual([]);
    expect(replayed.message?.parts.filter(({ type }) => type === "tool-buy")).toMatchObject(tools ?? []);
  });

  it("gets an error, before the first word and in the middle", async () => {
    for (const words of [[], ["Полсло"]]) {
      const { model, client, threadId } = await openHeld();
      const stream = await ask(client, threadId);
      await model.asked(1);
      model.say({ type: "text-start", id: "t1" });
      for (const word of words) model.write(word);
      model.fail(new ModelError("upstream_unavailable", "Недоступен"));
      expect((await read(stream)).errors).toEqual(["Недоступен"]);
    }
  });

  it.each(["fails", "is cancelled", "is parked", "sends an error event", "completes"])(
    "shows no part as being written after an answer that %s",
    async (what) => {
      const { model, client, threadId, server } = await openHeld();
      const stream = await ask(client, threadId);
      await model.asked(1);
      model.say({ type: "reasoning-start", id: "b" }, { type: "reasoning-delta", id: "b", delta: "Хм" });
      model.say({ type: "text-start", id: "a" }, { type: "text-end", id: "a" }, { type: "text-start", id: "b" });
      model.say({ type: "text-delta", id: "b", delta: "Полсло" });
      await eventually(async () => expect(JSON.stringify(await client.messages(threadId))).toContain("Полсло"));
      if (what === "fails") model.fail(new ModelError("upstream_unavailable", "Недоступен"));
      else if (what === "is cancelled") await client.post(`threads/${threadId}/run/cancel`, {});
      else if (what === "is parked") await server.close();
      else if (what === "sends an error event") model.say({ type: "error", errorText: "Не вышло" });
      else model.end();
      const { message, errors } = await read(stream);
      expect(errors).toHaveLength(what === "is cancelled" || what === "completes" ? 0 : 1);
      const states = message?.parts.map((part) => ("state" in part ? `${part.type} ${part.state}` : part.type));
      expect(states).toEqual(["reasoning done", "text done", "text done"]);
    },
  );

  it("sees that an answer was cancelled", async () => {
    const { model, client, threadId } = await openHeld(createHeldModel());
    const stream = await ask(client, threadId);
    await model.asked(1);
    model.say({ type: "text-start", id: "t1" });
    model.write("Полсло");
    await eventually(async () => expect(JSON.stringify(await client.messages(threadId))).toContain("Полсло"));
    await client.post(`threads/${threadId}/run/cancel`, {});
    const { message, errors } = await read(stream);
    expect([errors, message?.parts.map((part) => part.type === "text" && part.text)]).toEqual([[], ["Полсло"]]);
  });
});
