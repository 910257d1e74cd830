import type { ChatCompletionRequest, FixtureFileResponse, FixtureOpts } from "@copilotkit/aimock";
import type { Attachment, Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { ask, modelContract, partsOfAnswer, textOfAnswer } from "./model.contract.ts";
import type { ProviderModelOptions } from "./provider-model.ts";
import { answering as answeringAt, upstreamForFile, endlessUpstream, sum } from "./staged-upstream.contract.ts";

const upstream = upstreamForFile();

modelContract("A model behind an OpenAI-compatible server", {
  says: async () => answering({ content: "Hello from far away, at your service" }),
  callsTool: async () => {
    upstream.on({ userMessage: "go", hasToolResult: true }, { content: "It is three" });
    return answering({ toolCalls: [{ id: "call_0", name: "sum", arguments: '{"a":1,"b":2}' }] });
  },
  goesOn: endlessUpstream,
  fails: async () => ({
    ...answering({ content: "A long answer that is cut in the middle" }, { latency: 15, disconnectAfterMs: 60 }),
    code: "upstream_unavailable",
  }),
  keepsSilent: async () => answering({ content: "late" }, { latency: 10_000 }),
});

describe("createAiSdkModel", () => {
  it("sends the first delta at once, merges quick later ones, and counts tokens", async () => {
    const staged = answering({
      content: "one two three four five six seven eight nine ten",
      usage: { prompt_tokens: 11, completion_tokens: 7 },
    });
    const { events, usage } = await ask(staged);
    const deltas = events.filter((event) => event.type === "text-delta");
    expect(textOfAnswer(events)).toBe("one two three four five six seven eight nine ten");
    expect(deltas[0]).toMatchObject({ delta: "one tw" });
    expect(deltas.length).toBeLessThan(8);
    expect(usage).toEqual({ inputTokens: 11, cachedInputTokens: 0, outputTokens: 7 });
  });

  it("yields reasoning before the text", async () => {
    const { events } = await ask(answering({ content: "Four", reasoning: "Two and two" }));
    expect(partsOfAnswer(events)).toEqual([
      { type: "reasoning", text: "Two and two" },
      { type: "text", text: "Four" },
    ]);
  });

  it("sends the whole visible history, instructions first, and declares no tools when it has none", async () => {
    const staged = answering({ content: "ok" });
    const history: readonly Message[] = [
      { id: "1", role: "user", content: "First question" },
      {
        id: "2",
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm" },
          { type: "text", text: "First answer" },
        ],
      },
      { id: "3", role: "user", content: "Second question" },
      { id: "4", role: "assistant", content: [], status: { type: "incomplete", reason: "error" } },
      { id: "5", role: "user", content: "go" },
    ];
    await ask(staged, { history, instructions: "Be brief." });
    expect(upstream.getLastRequest()?.body).toMatchObject({
      model: "test-model",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "First question" },
        { role: "assistant", content: "First answer" },
        { role: "user", content: "Second question\n\ngo" },
      ],
    });
    expect(upstream.getLastRequest()?.body).not.toHaveProperty("tools");
  });

  it("sends the images and documents of the question", async () => {
    const attachments: readonly Attachment[] = [
      { id: "1", type: "image", name: "a.png", contentType: "image/png", size: 4, url: "api/debug/attachments/1" },
      {
        id: "2",
        type: "document",
        name: "b.pdf",
        contentType: "application/pdf",
        size: 4,
        url: "api/debug/attachments/2",
      },
    ];
    const history: readonly Message[] = [{ id: "1", role: "user", content: "go", attachments }];
    const staged = answering({ content: "ok" }, {}, { input: ["image", "pdf"] });
    await ask(staged, { history, readAttachment: async () => Buffer.from("%PDF") });
    expect(messagesOf(upstream.getLastRequest()?.body)).toMatchObject([
      {
        role: "user",
        content: [
          { type: "text", text: "go" },
          { type: "image_url", image_url: { url: "data:image/png;base64,JVBERg==" } },
          { type: "file", file: { filename: "b.pdf", file_data: "data:application/pdf;base64,JVBERg==" } },
        ],
      },
    ]);
  });

  it("sends another request with the tool's result, and includes the tool results of earlier answers", async () => {
    upstream.on({ userMessage: "go", hasToolResult: true }, { content: "It is three" });
    const staged = answering({ toolCalls: [{ id: "call_1", name: "sum", arguments: '{"a":1,"b":2}' }] });
    const earlier: readonly Message[] = [
      { id: "1", role: "user", content: "before" },
      {
        id: "2",
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "x1", toolName: "sum", argsText: '{"a":5,"b":5}', result: { sum: 10 } },
          { type: "tool-call", toolCallId: "x2", toolName: "sum", argsText: '{"a":7' },
          { type: "text", text: "Ten" },
        ],
      },
    ];
    await ask(staged, { history: [...earlier, { id: "3", role: "user", content: "go" }] });
    expect(messagesOf(upstream.getLastRequest()?.body)).toMatchObject([
      { role: "user", content: "before" },
      { role: "assistant", tool_calls: [{ id: "x1", function: { name: "sum", arguments: '{"a":5,"b":5}' } }] },
      { role: "tool", tool_call_id: "x1", content: '{"sum":10}' },
      { role: "assistant", content: "Ten" },
      { role: "user", content: "go" },
      { role: "assistant", tool_calls: [{ id: "call_1" }] },
      { role: "tool", tool_call_id: "call_1", content: '{"sum":3}' },
    ]);
  });

  it("gives two tool calls with the same id in two steps different ids", async () => {
    upstream.on({ predicate: (request) => toolMessages(request) === 2 }, { content: "Done" });
    const staged = answering({ toolCalls: [{ id: "call_0", name: "sum", arguments: '{"a":1,"b":2}' }] });
    const { events } = await ask(staged);
    expect(partsOfAnswer(events)).toMatchObject([
      { type: "tool-call", toolCallId: "call_0", result: { sum: 3 } },
      { type: "tool-call", result: { sum: 3 } },
      { type: "text", text: "Done" },
    ]);
  });

  it("ends an endless loop of tool calls: the last step may make none, and a call in it fails", async () => {
    const staged = answering({ toolCalls: [{ name: "sum", arguments: '{"a":1,"b":2}' }] }, {}, { maxSteps: 3 });
    const { events, error } = await ask(staged);
    expect(error).toBeUndefined();
    expect(events.filter(({ type }) => type === "tool-output-available")).toHaveLength(2);
    expect(events.filter(({ type }) => type === "tool-input-error")).toHaveLength(1);
    expect(upstream.getRequests().map(({ body }) => (body as { tool_choice?: unknown }).tool_choice)).toEqual([
      "auto",
      "auto",
      "none",
    ]);
  });

  it("reports a tool that failed, arguments that are invalid, and a tool that does not exist", async () => {
    upstream.on({ userMessage: "go", hasToolResult: true }, { content: "Sorry" });
    const failing = { ...sum, execute: () => Promise.reject(new Error("no numbers today")) };
    const calls = [
      { id: "c1", name: "sum", arguments: '{"a":1,"b":2}' },
      { id: "c2", name: "sum", arguments: '{"a":"one"}' },
      { id: "c3", name: "guess", arguments: "{}" },
    ];
    const { events, error } = await ask(answering({ toolCalls: calls }, {}, { tools: { sum: failing } }));
    expect(error).toBeUndefined();
    expect(partsOfAnswer(events)).toMatchObject([
      { toolCallId: "c1", isError: true, result: "no numbers today" },
      { toolCallId: "c2", isError: true, result: expect.stringContaining("Invalid input") as unknown },
      { toolCallId: "c3", isError: true, result: expect.stringContaining("guess") as unknown },
      { type: "text", text: "Sorry" },
    ]);
  });

  it("does not time out while the model reasons", async () => {
    const staged = answering({ content: "Four", reasoning: "a long long long long thought" }, { latency: 100 });
    expect((await ask(staged, { idleMs: 400 })).error).toBeUndefined();
  });

  it("asks the model once for a title, with the first exchange, and cleans it", async () => {
    upstream.on({ systemMessage: "You name conversations" }, { content: '**"Tea at five."**\n' });
    const { model } = answering({ content: "ok" });
    const exchange: readonly Message[] = [
      { id: "1", role: "user", content: "When do we have tea?" },
      { id: "2", role: "assistant", content: [{ type: "text", text: "At five" }] },
    ];
    expect(await model.title({ history: exchange, signal: new AbortController().signal })).toBe("Tea at five");
    expect(JSON.stringify(upstream.getLastRequest()?.body)).toContain("When do we have tea?");
  });
});

function answering(response: FixtureFileResponse, opts: FixtureOpts = {}, options: Partial<ProviderModelOptions> = {}) {
  return answeringAt(upstream, response, opts, options);
}

function messagesOf(body: unknown): readonly unknown[] {
  return (body as ChatCompletionRequest).messages;
}

function toolMessages(request: ChatCompletionRequest): number {
  return request.messages.filter(({ role }) => role === "tool").length;
}
