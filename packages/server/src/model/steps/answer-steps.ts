import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { StreamEvent } from "@nitka/protocol";
import type { ToolSet } from "ai";
import { CallMeter } from "../call-meter.ts";
import type { MeterOptions } from "../call-meter.ts";
import type { Clock } from "../clock.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { Trace } from "../trace/trace.ts";
import { watchSilence } from "../watch-silence.ts";
import { AnswerEvents } from "./answer-events.ts";
import { coalesceDeltas } from "./coalesce-deltas.ts";
import { StepContent } from "./step-content.ts";
import { parseCall, runCalls } from "./tool-calls.ts";

export interface StepsOptions {
  readonly languageModel: LanguageModelV4;
  readonly prompt: Prompt;
  readonly tools: ToolSet;
  /** What every call is sent beside the prompt. */
  readonly settings: Omit<LanguageModelV4CallOptions, "prompt" | "abortSignal">;
  /** How often the model is asked at most. */
  readonly maxSteps: number;
  /** Deltas are merged within so many milliseconds. */
  readonly mergeMs: number;
  readonly meter: MeterOptions;
  readonly clock: Clock;
  readonly idleMs: number | null;
  readonly signal: AbortSignal;
  /** The answer's own. */
  readonly trace: Trace;
}

/** The upstream has said nothing for `idleMs`. */
export class SilenceError extends Error {
  override readonly name = "SilenceError";
}

type FinishReason = LanguageModelV4FinishReason["unified"];

/**
 * Asks the model, runs the tools that it calls, asks it again with their results, and so on until it calls none. Stands
 * in for the SDK's `streamText`, which costs as much for each event as the provider itself. Returns why the model
 * ended last; throws the upstream's own errors.
 */
export async function* answerSteps(options: StepsOptions): AsyncGenerator<StreamEvent, FinishReason, undefined> {
  const { prompt, tools, maxSteps, signal, trace } = options;
  const events = new AnswerEvents();
  for (let step = 1; ; step += 1) {
    const content = new StepContent();
    const reason = yield* modelCall(options, events, content);
    const toRun = reason === "stop" || reason === "tool-calls" ? content.openCalls() : [];
    for await (const outcome of runCalls(toRun, { tools, messages: prompt.messages(), signal, trace })) {
      content.returned(outcome.toolCallId, outcome.modelOutput);
      yield events.returned(outcome);
    }
    yield { type: "finish-step" };
    if (toRun.length === 0 && !content.hasFailedCalls) return reason;
    if (step === maxSteps || content.openCalls().length > 0) return reason;
    prompt.add(content.messages());
  }
}

async function* modelCall(
  { languageModel, prompt, tools, settings, mergeMs, meter: metering, clock, idleMs, signal, trace }: StepsOptions,
  events: AnswerEvents,
  content: StepContent,
): AsyncGenerator<StreamEvent, FinishReason, undefined> {
  const silence = watchSilence(idleMs, clock);
  const abortSignal = AbortSignal.any([signal, silence.signal]);
  const call = { ...settings, prompt: prompt.messages(), abortSignal };
  const meter = new CallMeter(call, metering);
  const span = trace.child(`chat ${languageModel.modelId}`, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": languageModel.provider,
    "gen_ai.request.model": languageModel.modelId,
  });
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  let reason: FinishReason = "other";
  let started = false;
  try {
    const { stream } = await orAborted(
      span.within(() => languageModel.doStream(call)),
      abortSignal,
    ).catch((error: unknown) => {
      if (!abortSignal.aborted) meter.cancel();
      throw error;
    });
    reader = coalesceDeltas(stream, mergeMs, clock).getReader();
    for (;;) {
      const { done, value: part } = await orAborted(reader.read(), abortSignal);
      if (done) return reason;
      silence.heard();
      if (part.type === "error") throw part.error;
      if (part.type === "stream-start" || part.type === "response-metadata") continue;
      if (!started) yield events.startStep();
      started = true;
      if (part.type === "finish") {
        meter.told(part.usage);
        reason = part.finishReason.unified;
        span.set({ "gen_ai.response.finish_reasons": [reason], ...tokenAttributes(part.usage) });
        continue;
      }
      if ("delta" in part) meter.received(part.delta.length);
      if (part.type === "tool-call") {
        const parsed = await parseCall(part, tools);
        content.called(parsed);
        yield events.called(parsed);
        continue;
      }
      content.take(part);
      const event = events.of(part);
      if (event) yield event;
    }
  } catch (error) {
    if (!signal.aborted) span.failed(error instanceof Error ? error.name : "error");
    if (silence.signal.aborted && !signal.aborted) throw new SilenceError(`Nothing for ${idleMs ?? 0} ms`);
    throw error;
  } finally {
    silence.stop();
    meter.close();
    span.end();
    // Not waited for: an upstream that does not let go must not hold up the answer's end.
    reader?.cancel().catch(() => undefined);
  }
}

function tokenAttributes({ inputTokens, outputTokens }: LanguageModelV4Usage) {
  return {
    ...(inputTokens.total === undefined ? {} : { "gen_ai.usage.input_tokens": inputTokens.total }),
    ...(outputTokens.total === undefined ? {} : { "gen_ai.usage.output_tokens": outputTokens.total }),
  };
}

/** The promise's outcome, or the signal's reason: an upstream need not listen to it. */
function orAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(
      (value) => {
        signal.removeEventListener("abort", abort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", abort);
        reject(error);
      },
    );
  });
}
