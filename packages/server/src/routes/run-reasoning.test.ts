import { describe, expect, it } from "vitest";
import { eventsOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import { playedUpstream } from "../model/wire/played-upstream.contract.ts";

const { openThread } = threadOpener();
const upstream = playedUpstream();

describe("an answer whose reasoning is known at its end", () => {
  it.each<[string, object, { streamed: readonly string[]; stored: readonly string[] }]>([
    [
      "Сначала подумаю.</think>Ответ: три.",
      {},
      { streamed: ["text-delta Сначала подумаю.", "text-delta Ответ: три."], stored: ["reasoning", "text"] },
    ],
    ["Ответ: три.", { reasoningFirst: true }, { streamed: ["reasoning-delta Ответ: три."], stored: ["text"] }],
  ])("keeps its stream, is stored and sent back as it is: %s", async (content, options, { streamed, stored }) => {
    const baseUrl = upstream.play({ body: JSON.stringify({ choices: [{ message: { content } }] }) });
    const title = async () => undefined;
    const model = createOpenAiCompatibleModel({ model: "m", baseUrl, title, ...options });
    const { client, threadId } = await openThread({ model });
    const events = await eventsOf(await client.ask(threadId, { id: "q1" }));
    const deltas = (events as readonly { readonly type: string; readonly delta?: string }[]).flatMap(
      ({ type, delta }) => (delta === undefined ? [] : [`${type} ${delta}`]),
    );
    expect(deltas).toEqual(streamed);
    const [, answer] = await client.messages(threadId);
    expect(answer).toMatchObject({ status: { type: "complete" }, content: stored.map((type) => ({ type })) });
    await eventsOf(await client.ask(threadId, { id: "q2", parentId: answer?.id ?? "" }));
    const { messages } = upstream.asked.at(-1) as { readonly messages: readonly { readonly role: string }[] };
    expect(messages.find(({ role }) => role === "assistant")).toMatchObject({ content: "Ответ: три." });
  });
});
