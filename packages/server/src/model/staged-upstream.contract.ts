/** Upstreams for tests: an independent OpenAI-compatible server, and two that misbehave. */
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { LLMock } from "@copilotkit/aimock";
import type { FixtureFileResponse, FixtureOpts } from "@copilotkit/aimock";
import { tool } from "ai";
import { afterAll, afterEach, beforeAll } from "vitest";
import { z } from "zod";
import type { Staged } from "./model.contract.ts";
import { createOpenAiCompatibleModel } from "./openai-compatible.ts";
import type { ProviderModelOptions } from "./provider-model.ts";

/** The tool of staged models that call one. */
export const sum = tool({
  description: "Adds two numbers",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => ({ sum: a + b }),
});

/** One upstream for all tests of a file. Its responses are cleared after each test. */
export function upstreamForFile(): LLMock {
  const upstream = new LLMock({ port: 0, chunkSize: 6 });
  beforeAll(async () => {
    await upstream.start();
  });
  afterEach(() => {
    upstream.clearFixtures();
    upstream.clearRequests();
  });
  afterAll(async () => {
    await upstream.stop();
  });
  return upstream;
}

/** A model whose upstream sends this response to the question. */
export function answering(
  upstream: LLMock,
  response: FixtureFileResponse,
  opts: FixtureOpts = {},
  options: Partial<ProviderModelOptions> = {},
): Staged {
  upstream.on({ userMessage: "go" }, response, opts);
  const model = createOpenAiCompatibleModel({
    model: "test-model",
    baseUrl: upstream.url,
    apiKey: "key",
    tools: usesTools(response) ? { sum } : {},
    ...options,
  });
  return { model, question: "go" };
}

function usesTools(response: FixtureFileResponse): boolean {
  return "toolCalls" in response;
}

/** A model whose upstream sends these chunks as server-sent events and closes the connection. */
export async function rawUpstream(chunks: readonly string[]): Promise<Staged> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(chunks.map((chunk) => `data: ${chunk}\n\n`).join(""));
  });
  const url = await listening(server);
  // The server accepts one request and then closes.
  server.once("request", () => server.close());
  return { model: createOpenAiCompatibleModel({ model: "m", baseUrl: url }), question: "go" };
}

/** A model whose upstream sends deltas until the client disconnects. */
export async function endlessUpstream(): Promise<Staged> {
  const disconnected = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => response.write('data: {"choices":[{"delta":{"content":"and so on "}}]}\n\n'), 10);
    response.once("close", () => {
      clearInterval(timer);
      disconnected.resolve();
    });
  });
  const url = await listening(server);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: url });
  return { model, question: "go", released: () => disconnected.promise, close };
}

function listening(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
