import type { Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { createScriptedService, refuses, settledBy } from "./testing/scripted-fetch.ts";

const title = {
  chunks: [JSON.stringify({ choices: [{ message: { content: "Tea at five" }, finish_reason: "stop" }] })],
};
const history = [{ id: "1", role: "user" as const, content: "When is tea?" }];

async function titled(model: string, baseUrl: string, refuseFirst = false) {
  const responses = refuseFirst ? [refuses(400), title] : [title];
  const { clock, model: asked, sent } = createScriptedService(responses, { model, baseUrl });
  const text = await settledBy(clock, asked.title({ history, signal: new AbortController().signal }));
  return { text, efforts: sent.map(({ body }) => body.reasoning_effort) };
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

it("a title is requested again without an effort when the service refuses it", async () => {
  expect(await titled("gpt-5-pro", OPENAI, true)).toEqual({ text: "Tea at five", efforts: ["minimal", undefined] });
});

describe("a request about an exchange to a model with a small window", () => {
  const long: readonly Message[] = [
    { id: "1", role: "user", content: "When is tea? ".repeat(200) },
    { id: "2", role: "assistant", content: "At five. ".repeat(300) },
  ];

  async function sentTo(contextTokens: number, history: readonly Message[] = long) {
    const { clock, model, sent } = createScriptedService([title], { contextTokens });
    await settledBy(clock, model.title({ history, signal: new AbortController().signal }));
    return sent.map(({ body }) => ({
      tokens: Math.ceil(JSON.stringify(body.messages).length / 4),
      output: body.max_tokens ?? 0,
    }));
  }

  it.each([400, 800, 1_600])("fits into %i tokens, including the room for its output", async (contextTokens) => {
    const [sent] = await sentTo(contextTokens);
    expect(sent?.output).toBeGreaterThanOrEqual(contextTokens / 4);
    expect((sent?.tokens ?? 0) + (sent?.output ?? 0)).toBeLessThanOrEqual(contextTokens);
  });

  it("is unchanged when the window is large", async () => {
    expect(await sentTo(128_000)).toEqual(await sentTo(8_000));
    expect((await sentTo(8_000))[0]?.output).toBe(1_000);
  });

  it("is not made when nothing of the question would fit", async () => {
    expect(await sentTo(50)).toEqual([]);
  });
});
