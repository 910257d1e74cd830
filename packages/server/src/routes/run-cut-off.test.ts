import { expect, it } from "vitest";
import { eventsOf } from "../contract/server.contract.ts";
import { threadOpener, wordsOf } from "../contract/thread.contract.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import { systemClock } from "../model/clock.ts";
import { createScriptedFetch, says } from "../model/testing/scripted-fetch.ts";

const { openThread } = threadOpener();

function modelThat(...[text, reason]: Parameters<typeof says>) {
  const { fetch } = createScriptedFetch(systemClock, () => says(text, reason));
  return createOpenAiCompatibleModel({ model: "m", baseUrl: "http://upstream/v1", fetch });
}

it.each([
  ["length", "length"],
  ["content_filter", "content-filter"],
])("An answer that ends with %s is stored, streamed, replayed, logged and counted as cut off", async (sent, reason) => {
  const { client, threadId, log } = await openThread({
    model: modelThat("Во-первых, и", sent),
    project: { followUps: true },
  });
  const events = await eventsOf(await client.ask(threadId, { id: "q1" }));
  expect(events).toContainEqual({ type: "finish", finishReason: reason });
  expect(JSON.stringify(events)).not.toMatch(/"(?:data-)?error"/);
  const answer = (await client.messages(threadId)).at(-1);
  expect([wordsOf(answer?.content), answer?.status]).toEqual(["Во-первых, и", { type: "incomplete", reason }]);
  const again = await eventsOf(await client.ask(threadId, { id: "q1" }));
  expect(again.slice(-2)).toEqual([{ type: "finish", finishReason: reason }, "[DONE]"]);
  expect(log.find(({ text }) => text === "run ended")?.fields).toMatchObject({ outcome: reason });
});

it("An answer that the service has withheld is an error", async () => {
  const { client, threadId } = await openThread({ model: modelThat("", "content_filter") });
  const events = await eventsOf(await client.ask(threadId, { id: "q1" }));
  expect(events.at(-3)).toEqual({ type: "data-error", data: { code: "upstream_refused" }, transient: true });
  expect((await client.messages(threadId)).at(-1)?.status).toMatchObject({ reason: "error", code: "upstream_refused" });
});
