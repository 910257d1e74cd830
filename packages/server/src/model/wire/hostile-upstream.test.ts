import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createAnthropicModel } from "../anthropic.ts";
import { createGoogleModel } from "../google.ts";
import { ask, textOfAnswer } from "../model.contract.ts";
import { ModelError } from "../model.ts";
import type { Model } from "../model.ts";
import { createOpenAiCompatibleModel } from "../openai-compatible.ts";
import { serverForFile } from "./played-upstream.contract.ts";

const MB = 1_000_000;

let answer: (response: ServerResponse) => Promise<void>;
let sentBytes = 0;
const server = serverForFile((request, response) => {
  request.resume();
  void answer(response);
});

const executed: unknown[] = [];
const pay = tool({ inputSchema: z.looseObject({}), execute: async (input) => executed.push(input) });

const ours = () => createOpenAiCompatibleModel({ model: "m", baseUrl: server.url(), tools: { pay } });
const anthropic = () => createAnthropicModel({ model: "m", apiKey: "k", baseUrl: `${server.url()}/v1` });
const google = () => createGoogleModel({ model: "m", apiKey: "k", baseUrl: `${server.url()}/v1beta` });

const text = (content: string) => chunk({ content });

describe("An upstream fails, is abandoned, and exhausts no memory, when it sends", () => {
  it.each<[string, () => Model, () => Iterable<string>]>([
    ["1 GB without a line end", ours, () => repeated("x".repeat(MB), 1_000)],
    ["1 GB without a line end, to Anthropic's model", anthropic, () => repeated("x".repeat(MB), 1_000)],
    ["1 GB without a line end, to Google's model", google, () => repeated("x".repeat(MB), 1_000)],
    ["a JSON text of 1 GB in place of a stream", ours, () => ["{", ...repeated('"x",\n'.repeat(MB / 5), 1_000)]],
    [
      "a line of 50 MB",
      ours,
      () => [`data: {"choices":[{"delta":{"content":"`, ...repeated("x".repeat(MB), 50), '"}}]}'],
    ],
    ["comments without end", ours, () => repeated(": wait\n".repeat(MB / 8), 10_000)],
    ["lines of an event without end", ours, () => repeated("data: x\n".repeat(MB / 8), 10_000)],
    ["reasoning without end", ours, () => repeated(chunk({ reasoning_content: "hm ".repeat(300) }), 1_000_000)],
    ["text without end", ours, () => repeated(text("and so on ".repeat(100)), 1_000_000)],
    ["10,000 tool calls in one step", ours, () => [...toolCalls(10_000), chunk({}, "tool_calls"), "data: [DONE]\n\n"]],
    [
      "arguments of 10 MB in one line",
      ours,
      () => [call(0, `{"a":"${"x".repeat(10 * MB)}"}`), chunk({}, "tool_calls")],
    ],
    ["arguments of 10 MB in pieces", ours, () => [call(0, '{"a":"'), ...repeated(call(0, "x".repeat(10_000)), 1_000)]],
  ])("%s", async (_, create, pieces) => {
    answer = writer(200, pieces);
    expect(await outcomeOf(create())).toEqual(left);
  });

  it("a gigabyte that is compressed", async () => {
    const bomb = gzipSync(Buffer.alloc(100 * MB, "x"), { level: 1 });
    answer = async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      // A gzip file may have many members, each of which is decompressed.
      for (let member = 0; member < 10 && !response.destroyed; member += 1) await written(response, bomb);
      response.end();
    };
    expect(await outcomeOf(ours())).toEqual(left);
  });

  it("a refusal of 1 GB", async () => {
    answer = writer(400, () => repeated("x".repeat(MB), 1_000));
    expect(await outcomeOf(ours())).toEqual({ ...left, code: "upstream_refused" });
  });
});

const left = { code: "upstream_unavailable", executed: [], hasSentMuch: false, next: "Hello" };

/** The outcome of a question, and the answer to the next one. */
async function outcomeOf(model: Model) {
  sentBytes = 0;
  executed.length = 0;
  const { error } = await ask({ model, question: "go" });
  // The limit of a response, plus the system's buffers.
  const hasSentMuch = sentBytes > 160 * MB;
  answer = writer(200, () => [text("Hello"), chunk({}, "stop")]);
  const next = textOfAnswer((await ask({ model: ours(), question: "go" })).events);
  return { code: error instanceof ModelError ? error.code : error, executed, hasSentMuch, next };
}

function writer(status: number, pieces: () => Iterable<string>): (response: ServerResponse) => Promise<void> {
  return async (response) => {
    response.writeHead(status, { "content-type": "text/event-stream" });
    for (const piece of pieces()) {
      if (response.destroyed) return;
      await written(response, piece);
    }
    response.end();
  };
}

async function written(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  sentBytes += piece.length;
  if (response.write(piece)) return;
  const drained = new AbortController();
  const { signal } = drained;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  drained.abort();
}

function* repeated(piece: string, times: number): Generator<string> {
  for (let count = 0; count < times; count += 1) yield piece;
}

function* toolCalls(count: number): Generator<string> {
  for (let index = 0; index < count; index += 1) yield call(index, "{}");
}

function call(index: number, args: string): string {
  return chunk({ tool_calls: [{ index, id: `c${index}`, function: { name: "pay", arguments: args } }] });
}

function chunk(delta: object, finishReason: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
}
