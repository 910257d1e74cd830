import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, textOfAnswer } from "./model.contract.ts";
import type { Model } from "./model.ts";
import { createAnthropicModel } from "./anthropic.ts";
import { createGoogleModel } from "./google.ts";
import { createOpenAiCompatibleModel, openAiBaseUrl } from "./openai-compatible.ts";
import type { ProviderModelOptions } from "./provider-model.ts";
import { hurriedClock } from "./testing/manual-clock.ts";

const upstream = new LLMock({ port: 0 });
const access = { apiKey: "k", clock: hurriedClock };

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
    ["OpenAI-compatible", () => createOpenAiCompatibleModel({ model: "m", baseUrl: `${upstream.url}/v1/`, ...access })],
    ["Anthropic", () => createAnthropicModel({ model: "claude", baseUrl: `${upstream.url}/v1`, ...access })],
    ["Google", () => createGoogleModel({ model: "gemini", baseUrl: `${upstream.url}/v1beta`, ...access })],
  ])("answer, and report errors: %s", async (_, create) => {
    const model = create();
    const { events, error } = await ask({ model, question: "go" });
    expect(error).toBeUndefined();
    expect(textOfAnswer(events)).toBe("Hello from far away");
    expect((await ask({ model, question: "fail" })).error).toMatchObject({ code: "upstream_limited" });
  });

  it.each<[string, (more: Partial<ProviderModelOptions>) => Model, object]>([
    [
      "OpenAI-compatible",
      (more) => createOpenAiCompatibleModel({ model: "m", baseUrl: "http://llm.example/v1", ...more }),
      { max_tokens: 99, temperature: 0.4, reasoning_effort: "low" },
    ],
    [
      "OpenAI",
      (more) => createOpenAiCompatibleModel({ model: "gpt-5", baseUrl: "https://api.openai.com/v1", ...more }),
      { max_completion_tokens: 99, temperature: 0.4, reasoning_effort: "low" },
    ],
    [
      "Anthropic",
      (more) => createAnthropicModel({ model: "claude-sonnet-4-5", apiKey: "k", ...more }),
      { system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }], thinking: {} },
    ],
    [
      "Google",
      (more) => createGoogleModel({ model: "gemini-2.5-flash", apiKey: "k", ...more }),
      { generationConfig: { maxOutputTokens: 99, temperature: 0.4, thinkingConfig: {} } },
    ],
  ])("are sent their settings in the provider's own words: %s", async (_, create, expected) => {
    const bodies: unknown[] = [];
    const fetch = refusing((body) => bodies.push(body));
    const model = create({ fetch, maxOutputTokens: 99, temperature: 0.4, reasoningEffort: "low" });
    await ask({ model, question: "go" }, { instructions: "Be brief." });
    expect(bodies[0]).toMatchObject(expected);
    expect(bodies[0]).not.toMatchObject({ max_tokens: 99, max_completion_tokens: 99 });
  });

  it("send Mistral no field that it refuses", async () => {
    const bodies: { messages: readonly object[] }[] = [];
    const call = { id: "abcdefgh1", function: { name: "missing", arguments: "{}" } };
    const message = { reasoning_content: "Hm", content: "", tool_calls: [call] };
    const fetch: typeof globalThis.fetch = async (_, init) => {
      bodies.push(JSON.parse(init?.body as string) as (typeof bodies)[number]);
      return Response.json({ choices: [{ message: bodies.length === 1 ? message : { content: "Hello" } }] });
    };
    const model = createOpenAiCompatibleModel({ model: "m", baseUrl: "https://api.mistral.ai/v1", fetch });
    const { events, error } = await ask({ model, question: "go" });
    expect(error).toBeUndefined();
    expect(textOfAnswer(events)).toBe("Hello");
    expect(JSON.stringify(bodies)).not.toMatch(/stream_options|reasoning_content/);
    expect(bodies[1]?.messages).toHaveLength(3);
  });

  it("mark the prompt for Anthropic's cache", async () => {
    const bodies: { messages?: { content: { cache_control?: object }[] }[] }[] = [];
    const fetch = refusing((body) => bodies.push(body as (typeof bodies)[number]));
    const history = [
      { id: "1", role: "user", content: "Question" },
      { id: "2", role: "assistant", content: "Answer" },
      { id: "3", role: "user", content: "go" },
    ] as const;
    const model = createAnthropicModel({ model: "claude-sonnet-4-5", apiKey: "k", fetch });
    await ask({ model, question: "go" }, { history });
    const marks = bodies[0]?.messages?.map(({ content }) => content.at(-1)?.cache_control);
    expect(marks).toEqual([undefined, undefined, { type: "ephemeral" }]);
  });

  it.each<[string, (more: Partial<ProviderModelOptions>) => Model, readonly object[]]>([
    [
      "Anthropic",
      (more) => createAnthropicModel({ model: "claude", ...access, ...more }),
      [
        { type: "message_start", message: { id: "m", content: [], usage: { input_tokens: 1, output_tokens: 1 } } },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half" } },
        { type: "content_block_stop", index: 0 },
      ],
    ],
    [
      "Google",
      (more) => createGoogleModel({ model: "gemini", ...access, ...more }),
      [{ candidates: [{ content: { role: "model", parts: [{ text: "Half" }] } }] }],
    ],
  ])("report an answer that ends before its finish reason, and keep its text: %s", async (_, create, chunks) => {
    const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
    const headers = { "content-type": "text/event-stream" };
    const { events, error } = await ask({
      model: create({ fetch: async () => new Response(body, { headers }) }),
      question: "go",
    });
    expect(textOfAnswer(events)).toBe("Half");
    expect(error).toMatchObject({ code: "upstream_unavailable", cause: { name: "BrokenResponseError" } });
  });

  it("have the provider's name as id and name by default", () => {
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
  ])("turns %s into the base %s", (given, base) => {
    expect(openAiBaseUrl(given)).toBe(base);
  });
});

/** A provider that refuses the key, so that it is not asked again, and records the request. */
function refusing(onBody: (body: unknown) => void): typeof fetch {
  return async (_url, init) => {
    onBody(typeof init?.body === "string" ? JSON.parse(init.body) : undefined);
    return new Response("no", { status: 401 });
  };
}
