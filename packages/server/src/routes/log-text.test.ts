import { expect, it } from "vitest";
import { serveForTest } from "../contract/listen.contract.ts";
import { eventsOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import type { Model } from "../model/model.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import { hurriedClock } from "../model/testing/manual-clock.ts";

const { openThread } = threadOpener();

/** Contained in every text of a visitor and of the model. */
const MARKER = "Секрет7193";

interface Upstream {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

function openUpstream({ status = 200, type = "text/event-stream", body }: Upstream): Promise<string> {
  return serveForTest((_, response) => response.writeHead(status, { "content-type": type }).end(body));
}

const sse = (...chunks: readonly unknown[]) =>
  chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join("");
const delta = (fields: object) => ({ choices: [{ delta: fields }] });
const said = delta({ content: MARKER });
const refused = (status: number, error: unknown) => ({ status, type: "application/json", body: JSON.stringify(error) });

const upstreams: Readonly<Record<string, Upstream>> = {
  "a role that nobody knows": { body: sse(delta({ role: "oracle", content: MARKER })) },
  "a chunk of another shape": { body: sse(said, { choices: MARKER }) },
  "content that is a list": { body: sse(delta({ content: [{ text: MARKER }] })) },
  "arguments that are an object": {
    body: sse(delta({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: { a: MARKER } } }] })),
  },
  "a line that is no JSON": { body: sse(said, `{"choices":[{"delta":{"content":"${MARKER}`) },
  "an error as an object in the stream": { body: sse(said, { error: { message: `bad ${MARKER}`, type: "x" } }) },
  "an error as text in the stream": { body: sse(said, { error: MARKER }) },
  "an error with a stack-like message": { body: sse({ error: { message: `x\n    at ${MARKER} (a.ts:1:1)` } }) },
  "a stream that breaks off": { body: sse(said) },
  "JSON in place of a stream": { type: "application/json", body: JSON.stringify({ choices: [{ text: MARKER }] }) },
  "a page in place of a stream": { type: "text/html", body: `<p>${MARKER}</p>` },
  "400 that repeats the input": refused(400, { error: { message: `invalid: ${MARKER}`, code: MARKER, type: "bad" } }),
  "422 of another shape": refused(422, { detail: [{ msg: MARKER, input: MARKER }] }),
  "401 with text": { status: 401, type: "text/plain", body: `no key for ${MARKER}` },
  "500 with a page": { status: 500, type: "text/html", body: `<p>${MARKER}</p>` },
};

async function logOf(model: Model): Promise<string> {
  const { client, threadId, log } = await openThread({ model, project: { followUps: true } });
  await eventsOf(await client.ask(threadId, { id: "q1", content: `Вопрос ${MARKER}` }));
  expect(log.map(({ text }) => text)).toContain("run ended");
  return JSON.stringify(log);
}

it.each(Object.keys(upstreams))("the log has no word of an answer, a title or a question after %s", async (name) => {
  const upstream = upstreams[name];
  if (!upstream) throw new Error("It is one of them");
  const baseUrl = await openUpstream(upstream);
  expect(await logOf(createOpenAiCompatibleModel({ model: "m", baseUrl, clock: hurriedClock }))).not.toContain(MARKER);
});

const thrown: Readonly<Record<string, () => unknown>> = {
  "a string": () => MARKER,
  "an object": () => ({ message: MARKER }),
  "an error of JSON.parse": () => {
    try {
      return JSON.parse(`${MARKER} {`);
    } catch (error) {
      return error;
    }
  },
  "an error whose cause is text": () => new Error("it failed", { cause: MARKER }),
};

it.each(Object.keys(thrown))("the log has no text of an error that a model throws: %s", async (name) => {
  const fail = () => Promise.reject(thrown[name]?.());
  const model: Model = {
    id: "own",
    name: "Own",
    title: fail,
    suggest: fail,
    async *run() {
      yield { type: "text-delta", id: "t1", delta: MARKER };
      throw thrown[name]?.();
    },
  };
  expect(await logOf(model)).not.toContain(MARKER);
});

it("the log has no text of a model's own error event, but its code", async () => {
  const model: Model = {
    id: "own",
    name: "Own",
    title: async () => undefined,
    async *run() {
      yield { type: "error", errorText: MARKER };
      return {};
    },
  };
  const log = await logOf(model);
  expect(log).not.toContain(MARKER);
  expect(log).toContain('"code":"failed"');
});

it.each<[string, Upstream, string]>([
  [
    "a page",
    { type: "text/html", body: `<p>${MARKER}</p>` },
    "without any part of an answer (content type: text/html)",
  ],
  ["an empty body", { type: "text/event-stream; charset=utf-8", body: "" }, "(content type: text/event-stream)"],
  ["a torn answer", { body: sse(said, `{"choices":[`) }, "ends without a finish reason"],
  [
    "an answer that the service gives up",
    { body: sse(said, { choices: [{ delta: {}, finish_reason: "network_error" }] }) },
    '"upstream":"network_error"',
  ],
  ["an error in the stream", { body: sse({ error: { message: MARKER, code: 502 } }) }, '"code":502,"responseChars":10'],
])("the log names what is wrong with the response: %s", async (_, response, named) => {
  const baseUrl = await openUpstream(response);
  expect(await logOf(createOpenAiCompatibleModel({ model: "m", baseUrl, clock: hurriedClock }))).toContain(named);
});

it("the log contains the status and the kind of an upstream's refusal", async () => {
  const body = { error: { message: MARKER, type: "invalid_request_error", code: "invalid_api_key" } };
  const log = await logOf(createOpenAiCompatibleModel({ model: "m", baseUrl: await openUpstream(refused(401, body)) }));
  expect(log).toContain('"name":"AI_APICallError"');
  expect(log).toContain('"code":401');
  expect(log).toContain('"upstream":"invalid_api_key"');
});
