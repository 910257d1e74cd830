import { context, trace } from "@opentelemetry/api";
import type { Attributes, Context, Span, SpanOptions, Tracer } from "@opentelemetry/api";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ask } from "../model.contract.ts";
import { hurriedClock } from "../testing/manual-clock.ts";
import { answering, upstreamForFile } from "../staged-upstream.contract.ts";

interface Recorded {
  readonly name: string;
  readonly parent: string | undefined;
  attributes: Attributes;
  isEnded: boolean;
}

let spans: Recorded[] = [];
const upstream = upstreamForFile();

beforeEach(() => {
  spans = [];
  trace.setGlobalTracerProvider({ getTracer: () => recordingTracer() });
});
afterEach(() => trace.disable());

it("Requests to the model and tool calls are child spans of the answer, without any text of the conversation", async () => {
  upstream.on({ userMessage: "go", hasToolResult: true }, { content: "Three" });
  const call = { id: "c1", name: "sum", arguments: '{"a":1,"b":2}' };
  const usage = { prompt_tokens: 11, completion_tokens: 7 };
  await ask(answering(upstream, { toolCalls: [call], usage }));
  expect(spans.map(({ name, parent, isEnded }) => [name, parent, isEnded])).toEqual([
    ["answer test-model", undefined, true],
    ["chat test-model", "answer test-model", true],
    ["execute_tool sum", "answer test-model", true],
    ["chat test-model", "answer test-model", true],
  ]);
  expect(spans[1]?.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "upstream.chat",
    "gen_ai.request.model": "test-model",
    "gen_ai.response.finish_reasons": ["tool-calls"],
    "gen_ai.usage.input_tokens": 11,
    "gen_ai.usage.output_tokens": 7,
  });
  expect(JSON.stringify(spans)).not.toMatch(/Three|"go"|"sum":3/);
});

it("A failed span has the error code as its type", async () => {
  await ask(answering(upstream, { error: { message: "secret words" }, status: 503 }, {}, { clock: hurriedClock }));
  expect(spans.map(({ name, attributes }) => [name, attributes["error.type"]])).toEqual([
    ["answer test-model", "upstream_unavailable"],
    ["chat test-model", "AI_APICallError"],
    ["chat test-model", "AI_APICallError"],
    ["chat test-model", "AI_APICallError"],
  ]);
  expect(JSON.stringify(spans)).not.toContain("secret words");
});

function recordingTracer(): Tracer {
  const startSpan = (name: string, options: SpanOptions = {}, parent: Context = context.active()): Span => {
    const parentSpan = trace.getSpan(parent) as { readonly recorded?: Recorded } | undefined;
    const recorded: Recorded = {
      name,
      parent: parentSpan?.recorded?.name,
      attributes: { ...options.attributes },
      isEnded: false,
    };
    spans.push(recorded);
    const span = {
      recorded,
      setAttributes: (attributes: Attributes) => Object.assign(recorded.attributes, attributes),
      setAttribute: (key: string, value: string) => Object.assign(recorded.attributes, { [key]: value }),
      setStatus: () => span,
      end: () => {
        recorded.isEnded = true;
      },
    };
    return span as unknown as Span;
  };
  return { startSpan } as Tracer;
}
