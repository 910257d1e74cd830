import { tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, partsOfAnswer, textOfAnswer } from "../model.contract.ts";
import { createOpenAiCompatibleModel } from "../openai-compatible.ts";
import { CompletionRepair, CompletionStream } from "./read-completion.ts";
import { cutsOf, hastyClock, playedUpstream } from "./played-upstream.contract.ts";
import type { PlayedResponse } from "./played-upstream.contract.ts";

const upstream = playedUpstream();

const hello = said({ content: "Привет, 👋 " });
const whole = "Привет, 👋 мир";
const rest = said({ content: "мир" });
const stop = said({}, "stop");
const done = "data: [DONE]\n\n";

describe("An OpenAI-compatible server gives a whole answer", () => {
  it.each<[string, string]>([
    ["as OpenAI sends it", hello + rest + stop + done],
    ["with a last chunk without choices", hello + rest + stop + event({ usage: { prompt_tokens: 3 } }) + done],
    ["with a last chunk whose choices are null", hello + rest + stop + event({ choices: null }) + done],
    ["with [DONE] and no finish reason", hello + rest + done],
    ["with a plain close and no finish reason", hello + rest],
    ["with an empty finish reason in each chunk", said({ content: "Привет, 👋 " }, "") + said({ content: "мир" }, "")],
    ["with a line that is no JSON", hello + 'data: {"choices":[{"del\n\n' + rest + stop + done],
    ["with a line that is a number, and one that is text", `${hello}data: 7\n\ndata: oops\n\n${rest}${stop}${done}`],
    ["with a role of its own", said({ role: "model", content: "Привет, 👋 " }) + rest + stop + done],
    ["with a role that is no text", said({ role: 7, content: "Привет, 👋 " }) + rest + stop + done],
    ["with `message` in the place of `delta`", event({ choices: [{ message: { content: whole } }] }) + stop],
    ["with fields of other types", event({ id: 7, created: "now", choices: [], usage: [] }) + hello + rest + stop],
    ["with usage that is no number", hello + rest + event({ choices: [], usage: { prompt_tokens: "3" } }) + stop],
    ["with an error that is null", event({ error: null, choices: [{ delta: { content: whole } }] }) + stop + done],
    ["with lines that end in CRLF", (hello + rest + stop + done).replaceAll("\n", "\r\n")],
    ["with lines that end in CR", (hello + rest + stop + done).replaceAll("\n", "\r")],
    ["without blank lines between events", (hello + rest + stop + done).replaceAll("\n\n", "\n")],
    ["without a line end at its end", (hello + rest + stop + done).trimEnd()],
    ["without a line end behind the last chunk", (hello + rest).trimEnd()],
    ["with `data:` that has no space behind it", (hello + rest + stop + done).replaceAll("data: ", "data:")],
    ["with comments, names and ids of events", `: ping\n\nevent: message\nid: 1\nretry: 10\n${hello}${rest}${stop}`],
    ["with a byte order mark", `\u{FEFF}${hello}${rest}${stop}${done}`],
    ["with an event over several lines", hello + rest.replace('"choices"', '\ndata: "choices"') + stop + done],
    ["as one JSON text", completion({ role: "assistant", content: whole })],
    ["as one JSON text over several lines", completion({ content: whole }, "stop", 2)],
    ["as one JSON text without a finish reason", completion({ content: whole }, null)],
  ])("%s", async (_, body) => {
    for (const pieces of ["any length", 4_096] as const) {
      const { events, error } = await answerOf(body, cutsOf(Buffer.byteLength(body), pieces));
      expect(error).toBeUndefined();
      expect(textOfAnswer(events)).toBe(whole);
    }
  });

  it.each<[string, string]>([
    ["as OpenAI sends it", called([0, "c1", '{"a":1,'], [0, undefined, '"b":2}']) + said({}, "tool_calls") + done],
    ["with an object", called([0, "c1", { a: 1, b: 2 }]) + said({}, "tool_calls") + done],
    ["with an index that is text, and an id that is a number", called(["0", 7, '{"a":1,"b":2}']) + said({}, "stop")],
    ["without an index and an id", called([undefined, undefined, '{"a":1,"b":2}']) + said({}, "stop") + done],
    ["and no finish reason", called([0, "c1", '{"a":1,"b":2}']) + done],
    ["as `function_call` with an object", functionCall({ name: "sum", arguments: { a: 1, b: 2 } })],
    [
      "as `function_call` in pieces",
      said({ function_call: { name: "sum", arguments: '{"a":1,' } }) + functionCall({ arguments: '"b":2}' }),
    ],
    [
      "in one JSON text",
      completion({ tool_calls: [{ id: "c1", function: { name: "sum", arguments: '{"a":1,"b":2}' } }] }, "tool_calls"),
    ],
  ])("and its tool call: %s", async (_, body) => {
    const { events, error } = await answerOf(body, cutsOf(Buffer.byteLength(body), "any length"), hello + rest + stop);
    expect(error).toBeUndefined();
    expect(partsOfAnswer(events)).toMatchObject([
      { type: "tool-call", toolName: "sum", args: { a: 1, b: 2 }, result: { sum: 3 } },
      { type: "text", text: whole },
    ]);
  });

  it("and reasoning, also when a second field for it is empty", async () => {
    const { events } = await answerOf(said({ reasoning: "Думаю", reasoning_content: "" }) + hello + rest + stop + done);
    expect(partsOfAnswer(events)).toMatchObject([
      { type: "reasoning", text: "Думаю" },
      { type: "text", text: whole },
    ]);
  });

  it("and several calls of one JSON text", async () => {
    const calls = [1, 2].map((a) => ({ function: { name: "sum", arguments: { a, b: a } } }));
    const { events } = await answerOf(completion({ tool_calls: calls }, "tool_calls"), [], hello + rest + stop);
    expect(partsOfAnswer(events)).toMatchObject([{ result: { sum: 2 } }, { result: { sum: 4 } }, { text: whole }]);
  });
});

describe("An answer of an OpenAI-compatible server is cut off", () => {
  it.each<[string, string]>([
    ["in the middle of a chunk", hello + said({ content: "мир" }).slice(0, 30)],
    ["in the middle of a field's name", `${hello}dat`],
    ["behind a line that is no JSON", `${hello}data: the proxy has lost its upstream\n\n`],
    ["in the middle of one JSON text", completion({ content: whole }).slice(0, -5)],
  ])("when it ends %s", async (_, body) => {
    expect((await answerOf(body)).error).toMatchObject({ code: "upstream_unavailable" });
  });

  it("when the connection breaks", async () => {
    expect((await answerOf(hello + rest, [], undefined, "break")).error).toMatchObject({
      code: "upstream_unavailable",
    });
  });

  it.each<[string, object]>([
    ["upstream_limited", { error: { message: "Slow down", code: "429" } }],
    ["upstream_limited", { error: { message: "Slow down", code: 429, metadata: { provider: "x" } }, choices: [] }],
    ["upstream_limited", { error: "Rate limit reached" }],
    ["upstream_limited", { object: "error", message: "Slow down", code: 429 }],
    ["upstream_limited", { status: 429, message: "Too Many Requests" }],
    ["context_too_long", { detail: "This model's maximum context length is 8192 tokens" }],
    ["upstream_unavailable", [{ error: { code: 503, message: "Try later", status: "UNAVAILABLE" } }]],
  ])("by an error of any form: %s of %j", async (code, error) => {
    expect((await answerOf(hello + event(error))).error).toMatchObject({ code });
    expect((await answerOf(JSON.stringify(error))).error).toMatchObject({ code });
  });
});

describe("The reading of a response", () => {
  it("gives the same result for all cuts", () => {
    const body = Buffer.from(
      `: ping\r\n\r\n${hello}data: {"torn\n\n${called([0, "c1", { a: 1 }])}data: {\ndata: "choices":null}\n\n${rest}${done}`,
    );
    const partsAt = (cut: number) => {
      const reading = new CompletionStream();
      const decoder = new TextDecoder();
      const pieces = [body.subarray(0, cut), body.subarray(cut)];
      const parts = pieces.flatMap((piece) => reading.feed(decoder.decode(piece, { stream: true })));
      return [...parts, ...reading.end()].map((part) => ("delta" in part ? part.delta : part.type));
    };
    const call = ["tool-input-start", '{"a":1}', "tool-input-end", "tool-call"];
    const expected = ["text-start", "Привет, 👋 ", ...call.slice(0, 2), "мир", "text-end", ...call.slice(2), "finish"];
    for (let cut = 0; cut <= body.length; cut += 1) expect(partsAt(cut)).toEqual(expected);
  });

  it.each([
    [
      "its id comes first",
      [
        { index: 0, id: "c1", function: {} },
        { index: 0, function: { name: "sum", arguments: "{}" } },
      ],
    ],
    [
      "its arguments come first",
      [
        { index: 0, function: { arguments: "{" } },
        { index: 0, id: "c1", function: { name: "sum", arguments: "}" } },
      ],
    ],
  ])("gives a call when %s and its name later", (_, calls) => {
    const reading = new CompletionStream();
    const body = calls.map((call) => said({ tool_calls: [call] })).join("") + done;
    expect(reading.feed(body)).toContainEqual({ type: "tool-call", toolCallId: "c1", toolName: "sum", input: "{}" });
  });

  it("keeps the signature of a call, which Google's gateways require back", () => {
    const call = {
      index: 0,
      id: "c1",
      function: { name: "sum", arguments: "{}" },
      extra_content: { google: { thought_signature: "c2ln" } },
    };
    expect(new CompletionStream().feed(said({ tool_calls: [call] }) + done)).toContainEqual(
      expect.objectContaining({ type: "tool-call", providerMetadata: { google: { thoughtSignature: "c2ln" } } }),
    );
  });

  it("repairs the responses for titles too", () => {
    const repair = new CompletionRepair();
    const given = { choices: [{ message: { role: "model", content: "Чай", tool_calls: null } }], usage: null };
    const repaired = [...repair.feed(JSON.stringify(given)), ...repair.end()];
    expect(Buffer.concat(repaired).toString()).toBe(
      JSON.stringify({ choices: [{ message: { content: "Чай" }, finish_reason: null }] }),
    );
  });

  it("is over with the finish reason when the connection breaks behind it", async () => {
    const { events, error } = await answerOf(hello + rest + stop, [], undefined, "break");
    expect(error).toBeUndefined();
    expect(textOfAnswer(events)).toBe(whole);
  });

  it("ends with [DONE], also when the server keeps the connection open", async () => {
    const { events, error } = await answerOf(hello + rest + stop + done, [], undefined, "hold");
    expect(error).toBeUndefined();
    expect(textOfAnswer(events)).toBe(whole);
  });
});

const sum = tool({
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => ({ sum: a + b }),
});

/** A model's answer to a response; after tool calls, to a second one. */
function answerOf(body: string, cuts: readonly number[] = [], second?: string, end: PlayedResponse["end"] = "close") {
  const baseUrl = upstream.play({ body, cuts, end }, ...(second === undefined ? [] : [{ body: second }]));
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl, tools: { sum }, clock: hastyClock });
  return ask({ model, question: "go" });
}

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function said(delta: object, finishReason: string | null = null): string {
  return event({ id: "r", choices: [{ index: 0, delta, finish_reason: finishReason }] });
}

function called(...pieces: readonly (readonly [unknown, unknown, unknown])[]): string {
  return pieces
    .map(([index, id, args]) => {
      const asked = { ...(id !== undefined && { name: "sum" }), arguments: args };
      const name = index === undefined ? { name: "sum" } : {};
      return said({ tool_calls: [{ index, id, type: "function", function: { ...name, ...asked } }] });
    })
    .join("");
}

function functionCall(call: object): string {
  return said({ role: "assistant", function_call: call }, "function_call") + done;
}

function completion(message: object, finishReason: string | null = "stop", indent?: number): string {
  return JSON.stringify({ id: "r", choices: [{ index: 0, message, finish_reason: finishReason }] }, null, indent);
}
