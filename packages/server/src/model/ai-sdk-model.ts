import type { StreamEvent } from "@nitka/protocol";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { generateText, isStepCount, streamText } from "ai";
import type { ToolSet } from "ai";
import { AnswerEvents } from "./answer-events.ts";
import { systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import { coalesceDeltas } from "./coalesce-deltas.ts";
import { meterCalls } from "./meter-calls.ts";
import type { Model, ModelCall, ModelRequest, ModelUsage, TitleRequest } from "./model.ts";
import { cleanTitle, titleInstructions, titlePrompt } from "./title.ts";
import { emptyAnswerError, silenceError, toModelError } from "./to-model-error.ts";
import { toModelMessages } from "./to-model-messages.ts";
import { watchSilence } from "./watch-silence.ts";

/** Tools that are there for one run. */
export interface OpenTools {
  readonly tools: ToolSet;
  readonly close: () => Promise<void>;
}

export interface AiSdkModelOptions {
  readonly id: string;
  readonly name: string;
  readonly languageModel: LanguageModelV4;
  readonly tools?: ToolSet;
  /** Opened when a run begins and closed when it ends, such as those of MCP servers. */
  readonly openTools?: (signal: AbortSignal) => Promise<OpenTools>;
  /** How often the model is asked in one run, so that a loop of tool calls ends. */
  readonly maxSteps?: number;
  /** Deltas are merged within so many milliseconds. */
  readonly mergeMs?: number;
  /** Where the title comes from; the model itself unless given. */
  readonly title?: Model["title"];
  readonly clock?: Clock;
}

/**
 * Any language model of the AI SDK as a `Model`, with the SDK's tool loop.
 *
 * @example
 * createAiSdkModel({ id: "gpt-5", name: "GPT-5", languageModel: openai("gpt-5") })
 */
export function createAiSdkModel(options: AiSdkModelOptions): Model {
  const { id, name, languageModel, mergeMs = 33, clock = systemClock } = options;
  const merged = coalesceDeltas(languageModel, mergeMs, clock);
  return {
    id,
    name,
    run: (request) => run({ ...options, languageModel: merged, clock }, request),
    title: options.title ?? ((request) => modelTitle(id, languageModel, request)),
  };
}

async function* run(
  { id, languageModel, tools, openTools, maxSteps = 8, clock }: AiSdkModelOptions & { readonly clock: Clock },
  { history, instructions, signal, readAttachment, idleMs, onUsage }: ModelRequest,
): AsyncGenerator<StreamEvent, ModelUsage, undefined> {
  // Aborted when the run is left, whichever way: then nothing upstream goes on for nobody.
  const leaving = new AbortController();
  const silence = watchSilence(idleMs, clock);
  const abortSignal = AbortSignal.any([signal, leaving.signal, silence.signal]);
  let opened: OpenTools | undefined;
  let begun = false;
  let finishReason = "none";
  let usage: ModelUsage = {};
  const report = (call: ModelCall) => {
    usage = sumOf(usage, call);
    onUsage?.(call);
  };
  try {
    opened = await openTools?.(abortSignal);
    const events = new AnswerEvents();
    const result = streamText({
      model: meterCalls(languageModel, { modelId: id, purpose: "answer", report }),
      messages: await toModelMessages(history, readAttachment),
      tools: { ...tools, ...opened?.tools },
      stopWhen: isStepCount(maxSteps),
      // The visitor retries: an upstream that asks for patience must not look like one that is silent.
      maxRetries: 0,
      abortSignal,
      // Without a listener the SDK prints provider errors; they come as parts of the stream too.
      onError: () => undefined,
      ...(instructions === undefined ? {} : { instructions }),
    });
    for await (const part of result.stream) {
      silence.heard();
      if (part.type === "error") throw part.error;
      if (part.type === "finish") ({ finishReason } = part);
      const event = events.of(part);
      if (!event) continue;
      if (event.type !== "start-step" && event.type !== "finish-step") begun = true;
      yield event;
    }
    if (silence.signal.aborted) throw silenceError(idleMs ?? 0);
    if (!begun && !signal.aborted) throw emptyAnswerError(finishReason);
    return usage;
  } catch (error) {
    if (signal.aborted) return usage;
    throw silence.signal.aborted ? silenceError(idleMs ?? 0) : toModelError(error, begun);
  } finally {
    silence.stop();
    leaving.abort();
    await opened?.close();
  }
}

function sumOf(usage: ModelUsage, call: ModelCall): ModelUsage {
  return {
    inputTokens: (usage.inputTokens ?? 0) + call.inputTokens,
    cachedInputTokens: (usage.cachedInputTokens ?? 0) + call.cachedInputTokens,
    outputTokens: (usage.outputTokens ?? 0) + call.outputTokens,
  };
}

/** A short call of its own; `undefined` where the model wrote something that is no title. */
async function modelTitle(
  modelId: string,
  languageModel: LanguageModelV4,
  { history, signal, onUsage = () => undefined }: TitleRequest,
): Promise<string | undefined> {
  const prompt = titlePrompt(history);
  if (prompt === undefined) return undefined;
  const { text } = await generateText({
    model: meterCalls(languageModel, { modelId, purpose: "title", report: onUsage }),
    instructions: titleInstructions,
    prompt,
    maxRetries: 0,
    abortSignal: signal,
  });
  return cleanTitle(text);
}
