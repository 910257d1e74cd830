import type { FixtureFileResponse, FixtureOpts } from "@copilotkit/aimock";
import { describe, expect, it } from "vitest";
import { ask } from "./model.contract.ts";
import type { Staged } from "./model.contract.ts";
import type { ModelCall, ModelRequest } from "./model.ts";
import { createOpenAiCompatibleModel } from "./openai-compatible.ts";
import { answering as answeringAt, upstreamForFile, rawUpstream } from "./staged-upstream.contract.ts";
import { hurriedClock } from "./testing/manual-clock.ts";

const upstream = upstreamForFile();

describe("requests to a language model", () => {
  it("are reported with the upstream's counts, one report per step", async () => {
    upstream.on(
      { userMessage: "go", hasToolResult: true },
      { content: "Three", usage: { prompt_tokens: 20, completion_tokens: 2 } },
    );
    const called = answering({
      toolCalls: [{ id: "c", name: "sum", arguments: '{"a":1,"b":2}' }],
      usage: { prompt_tokens: 11, completion_tokens: 7 },
    });
    const { calls, usage } = await reported(called);
    const answer = { modelId: "test-model", purpose: "answer", cachedInputTokens: 0, estimated: false };
    expect(calls).toEqual([
      { ...answer, inputTokens: 11, outputTokens: 7 },
      { ...answer, inputTokens: 20, outputTokens: 2 },
    ]);
    expect(usage).toEqual({ inputTokens: 31, cachedInputTokens: 0, outputTokens: 9 });
  });

  it("are reported with the tokens that the upstream had cached", async () => {
    const usage = '{"prompt_tokens":50,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":40}}';
    const { calls } = await reported(
      await rawUpstream([said("Hi"), `{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":${usage}}`]),
    );
    expect(calls).toMatchObject([{ inputTokens: 50, cachedInputTokens: 40, outputTokens: 3, estimated: false }]);
  });

  it("are estimated at four characters per token when the upstream reports no usage", async () => {
    const ended = '{"choices":[{"delta":{},"finish_reason":"stop"}]}';
    const { calls } = await reported(await rawUpstream([said("x".repeat(400)), ended]), {
      history: [{ id: "q", role: "user", content: "q".repeat(70) }],
      instructions: "i".repeat(30),
    });
    expect(calls).toMatchObject([{ inputTokens: 25, outputTokens: 100, estimated: true }]);
  });

  it("are estimated when the answer breaks off", async () => {
    const { calls, error } = await reported(await rawUpstream([said("x".repeat(40)), '{"torn']));
    expect(error).toMatchObject({ code: "upstream_unavailable" });
    expect(calls).toMatchObject([{ inputTokens: 1, outputTokens: 10, estimated: true }]);
  });

  it("are reported once, synchronously with the abort that stops them", async () => {
    const stop = new AbortController();
    const calls: ModelCall[] = [];
    let callsAtStop = 0;
    const staged = answering({ content: "A long answer that goes on for a while" }, { latency: 20 });
    await ask(staged, { signal: stop.signal, onUsage: (call) => calls.push(call) }, (event) => {
      if (event.type !== "text-delta") return;
      stop.abort();
      callsAtStop = calls.length;
    });
    expect(callsAtStop).toBe(1);
    expect(calls).toMatchObject([{ modelId: "test-model", inputTokens: 1, estimated: true }]);
    expect(calls[0]?.outputTokens).toBeGreaterThan(0);
  });

  it("are not reported when the upstream refuses them or cannot be reached", async () => {
    const refused = answeringAt(upstream, { error: { message: "no" }, status: 500 }, {}, { clock: hurriedClock });
    expect((await reported(refused)).calls).toEqual([]);
    const model = createOpenAiCompatibleModel({ model: "m", baseUrl: "http://127.0.0.1:9", clock: hurriedClock });
    expect((await reported({ model, question: "go" })).calls).toEqual([]);
  });

  it("are reported for titles too", async () => {
    upstream.on(
      { systemMessage: "You name conversations" },
      { content: "Tea", usage: { prompt_tokens: 90, completion_tokens: 1 } },
    );
    const { model } = answering({ content: "ok" });
    const calls: ModelCall[] = [];
    await model.title({
      history: [{ id: "1", role: "user", content: "Tea?" }],
      signal: new AbortController().signal,
      onUsage: (call) => calls.push(call),
    });
    expect(calls).toEqual([
      {
        modelId: "test-model",
        purpose: "title",
        inputTokens: 90,
        cachedInputTokens: 0,
        outputTokens: 1,
        estimated: false,
      },
    ]);
  });
});

async function reported(staged: Pick<Staged, "model" | "question">, more: Partial<ModelRequest> = {}) {
  const calls: ModelCall[] = [];
  return { ...(await ask(staged, { ...more, onUsage: (call) => calls.push(call) })), calls };
}

function said(content: string): string {
  return JSON.stringify({ choices: [{ delta: { content } }] });
}

function answering(response: FixtureFileResponse, opts: FixtureOpts = {}): Staged {
  return answeringAt(upstream, response, opts);
}
