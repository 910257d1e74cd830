import { expect, it } from "vitest";
import { createOpenAiCompatibleModel } from "./openai-compatible.ts";
import { createManualClock } from "./testing/manual-clock.ts";
import { createScriptedFetch, refuses, settledBy } from "./testing/scripted-fetch.ts";

const title = {
  chunks: [JSON.stringify({ choices: [{ message: { content: "Tea at five" }, finish_reason: "stop" }] })],
};
const history = [{ id: "1", role: "user" as const, content: "When is tea?" }];

async function titled(model: string, baseUrl: string, refuseFirst = false) {
  const clock = createManualClock();
  const upstream = createScriptedFetch(clock, (count) => (refuseFirst && count === 0 ? refuses(400) : title));
  const asked = createOpenAiCompatibleModel({ model, baseUrl, fetch: upstream.fetch, clock });
  const text = await settledBy(clock, asked.title({ history, signal: new AbortController().signal }));
  return { text, efforts: upstream.sent.map(({ body }) => body.reasoning_effort) };
}

const OPENAI = "https://api.openai.com/v1";

it.each([
  ["gpt-5-mini", OPENAI, "minimal"],
  ["gpt-5.1", OPENAI, "none"],
  ["o4-mini", OPENAI, "low"],
  ["gpt-4o-mini", OPENAI, undefined],
  ["gpt-5-mini", "https://proxy.example/v1", undefined],
])("asks %s at %s for a title with the effort %s", async (model, baseUrl, effort) => {
  expect(await titled(model, baseUrl)).toEqual({ text: "Tea at five", efforts: [effort] });
});

it("asks without an effort when the service refuses it", async () => {
  expect(await titled("gpt-5-pro", OPENAI, true)).toEqual({ text: "Tea at five", efforts: ["minimal", undefined] });
});
