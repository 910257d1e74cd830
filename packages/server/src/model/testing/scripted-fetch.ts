/** An upstream without a network: a `fetch` that responds according to a script, on the model's own clock. */
import type { Clock } from "../clock.ts";
import { sleep } from "../clock.ts";
import { createOpenAiCompatibleModel } from "../openai-compatible.ts";
import type { ProviderModelOptions } from "../provider-model.ts";
import { createManualClock } from "./manual-clock.ts";
import type { ManualClock } from "./manual-clock.ts";

export interface ScriptedResponse {
  /** Default: 200. With `reset` the connection breaks before a response. */
  readonly status?: number | "reset";
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the headers arrive. */
  readonly afterMs?: number;
  readonly chunks?: readonly (string | Uint8Array<ArrayBuffer> | { readonly waitMs: number })[];
  /** How the body ends. Default: it is closed. */
  readonly end?: "close" | "reset" | "silence";
}

/** A request that an upstream received. */
export interface SentRequest {
  readonly at: number;
  readonly body: SentBody;
}

export interface SentBody {
  readonly messages: readonly {
    readonly role: string;
    readonly content: unknown;
    readonly tool_calls?: unknown;
    readonly tool_call_id?: string;
    readonly reasoning_content?: string;
  }[];
  readonly tools?: readonly unknown[];
  readonly tool_choice?: unknown;
  readonly reasoning_effort?: string;
  readonly max_tokens?: number;
}

export interface ScriptedUpstream {
  readonly fetch: typeof globalThis.fetch;
  readonly sent: SentRequest[];
}

/** @param respond returns the response to each request; `count` begins at 0 */
export function createScriptedFetch(
  clock: Clock,
  respond: (count: number, body: SentBody) => ScriptedResponse,
): ScriptedUpstream {
  const sent: SentRequest[] = [];
  return {
    sent,
    fetch: async (_, init) => {
      const signal = init?.signal ?? new AbortController().signal;
      const body = JSON.parse(init?.body as string) as SentBody;
      const { status = 200, headers = {}, afterMs = 0, chunks = [], end = "close" } = respond(sent.length, body);
      sent.push({ at: clock.now(), body });
      await sleep(clock, afterMs, signal);
      signal.throwIfAborted();
      if (status === "reset") throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
      const left = [...chunks];
      const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          start: (controller) => {
            signal.addEventListener("abort", () => controller.error(signal.reason), { once: true });
          },
          pull: async (controller) => {
            let chunk = left.shift();
            for (; chunk !== undefined && typeof chunk === "object" && "waitMs" in chunk; chunk = left.shift()) {
              await sleep(clock, chunk.waitMs, signal);
            }
            if (signal.aborted) return;
            if (chunk !== undefined)
              controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
            else if (end === "close") controller.close();
            else if (end === "reset") controller.error(new TypeError("terminated"));
            else await sleep(clock, Number.MAX_SAFE_INTEGER, signal);
          },
        },
        { highWaterMark: 0 },
      );
      const type = { "content-type": status === 200 ? "text/event-stream" : "application/json" };
      return new Response(stream, { status, headers: { ...type, ...headers } });
    },
  };
}

/**
 * A model whose service sends these responses, on a clock of its own.
 *
 * @param respond the responses in order, or a function as for `createScriptedFetch`
 */
export function createScriptedService(
  respond: readonly ScriptedResponse[] | Parameters<typeof createScriptedFetch>[1],
  options: Partial<ProviderModelOptions> = {},
) {
  const clock = createManualClock();
  const { fetch, sent } = createScriptedFetch(
    clock,
    typeof respond === "function" ? respond : (count) => respond[count] ?? says("One request too many"),
  );
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: "http://upstream/v1", fetch, clock, ...options });
  return { clock, model, sent };
}

/** The chunks of an OpenAI-compatible answer: its deltas, the finish reason, `[DONE]`. */
export function streaming(deltas: readonly object[], finishReason: string | null = "stop"): readonly string[] {
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finishReason }] },
  ];
  return [...chunks.map((chunk) => `data: ${JSON.stringify({ id: "r", ...chunk })}\n\n`), "data: [DONE]\n\n"];
}

/** A response with a text. */
export function says(text: string, finishReason = "stop"): ScriptedResponse {
  return { chunks: streaming([{ content: text }], finishReason) };
}

/** A response with a tool call. Its arguments are an object, or the raw text to send. */
export function calls(name: string, args: object | string = {}, finishReason = "tool_calls"): ScriptedResponse {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  const call = { index: 0, id: `call_${name}`, type: "function", function: { name, arguments: text } };
  return { chunks: streaming([{ tool_calls: [call] }], finishReason) };
}

/** A refusal with an error body of OpenAI's format. */
export function refuses(
  status: number,
  message = "No.",
  headers: Readonly<Record<string, string>> = {},
): ScriptedResponse {
  return { status, headers, chunks: [JSON.stringify({ error: { message } })] };
}

/** Advances the clock until the promise settles. */
export async function settledBy<T>(clock: ManualClock, promise: Promise<T>, limitMs = 600_000): Promise<T> {
  const settled = new AbortController();
  const settle = () => settled.abort();
  promise.then(settle, settle);
  const startedAt = clock.now();
  const endsAt = startedAt + limitMs;
  while (!settled.signal.aborted) {
    if (clock.now() >= endsAt) throw new Error(`It has not ended after ${limitMs} ms`);
    await clock.advance(Math.min(500, 50 + (clock.now() - startedAt) / 10));
  }
  return promise;
}
