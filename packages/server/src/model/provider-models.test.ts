import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, textOfAnswer } from "./model.contract.ts";
import {
  createAnthropicModel,
  createGoogleModel,
  createOpenAiCompatibleModel,
  openAiBaseUrl,
} from "./provider-models.ts";

const upstream = new LLMock({ port: 0 });

beforeAll(async () => {
  upstream.onMessage("go", { content: "Hello from far away" });
  upstream.onMessage("fail", { error: { message: "no" }, status: 429 });
  await upstream.start();
});
afterAll(async () => {
  await upstream.stop();
});

describe("The models of each provider", () => {
  it.each([
    [
      "OpenAI-compatible",
      () => createOpenAiCompatibleModel({ model: "m", baseUrl: `${upstream.url}/v1/`, apiKey: "k" }),
    ],
    ["Anthropic", () => createAnthropicModel({ model: "claude", baseUrl: `${upstream.url}/v1`, apiKey: "k" })],
    ["Google", () => createGoogleModel({ model: "gemini", baseUrl: `${upstream.url}/v1beta`, apiKey: "k" })],
  ])("answer, and name what goes wrong: %s", async (_, create) => {
    const model = create();
    const { events, error } = await ask({ model, question: "go" });
    expect(error).toBeUndefined();
    expect(textOfAnswer(events)).toBe("Hello from far away");
    expect((await ask({ model, question: "fail" })).error).toMatchObject({ code: "upstream_limited" });
  });

  it("are called by their own names unless told otherwise", () => {
    const named = createGoogleModel({ model: "gemini", apiKey: "k", id: "google:gemini", name: "Gemini" });
    const plain = createGoogleModel({ model: "gemini", apiKey: "k" });
    expect([named, plain].map(({ id, name }) => [id, name])).toEqual([
      ["google:gemini", "Gemini"],
      ["gemini", "gemini"],
    ]);
  });
});

describe("openAiBaseUrl", () => {
  it.each([
    ["http://127.0.0.1:4010", "http://127.0.0.1:4010/v1"],
    ["http://127.0.0.1:4010/", "http://127.0.0.1:4010/v1"],
    ["https://api.openai.com/v1", "https://api.openai.com/v1"],
    ["https://openrouter.ai/api/v1/", "https://openrouter.ai/api/v1"],
    ["https://llm.example/v1/chat/completions", "https://llm.example/v1"],
    ["https://llm.example/openai", "https://llm.example/openai"],
  ])("makes of %s the base %s", (given, base) => {
    expect(openAiBaseUrl(given)).toBe(base);
  });
});
