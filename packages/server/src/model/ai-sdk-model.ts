import type { StreamEvent } from "@nitka/protocol";
import type { LanguageModelV4, LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ToolSet } from "ai";
import { CallMeter } from "./call-meter.ts";
import { systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import { declareTools } from "./declare-tools.ts";
import { missingEvents, withMissing } from "./missing-tools.ts";
import type { Model, ModelCall, ModelRequest, ModelUsage, TitleRequest } from "./model.ts";
import type { OpenTools } from "./open-tools.ts";
import { toolsChars } from "./prompt/prompt-chars.ts";
import { openPrompt } from "./prompt/prompt.ts";
import { SilenceError, answerSteps } from "./steps/answer-steps.ts";
import { cleanTitle, titleInstructions, titlePrompt } from "./title.ts";
import { startTrace } from "./trace/trace.ts";
import { emptyAnswerError, silenceError, toModelError } from "./to-model-error.ts";

export interface AiSdkModelOptions {
  readonly id: string;
  readonly name: string;
  readonly languageModel: LanguageModelV4;
  readonly tools?: ToolSet;
  /** Opened when a run begins, such as those of MCP servers. */
  readonly openTools?: (signal: AbortSignal) => Promise<OpenTools>;
  /** How often the model is asked in one run, so that a loop of tool calls ends: 8 times unless given. */
  readonly maxSteps?: number;
  /** The most tokens that one call of the model may write; the provider's own limit unless given. */
  readonly maxOutputTokens?: number;
  /** How freely the model chooses its words: mostly 0 to 1 or 2, the provider's own unless given. */
  readonly temperature?: number;
  /** How long a model that can thinks first; the provider's own unless given. */
  readonly reasoningEffort?: ReasoningEffort;
  /** A provider's marks on what it is to cache of the prompt: on the instructions, and on the prompt's end. */
  readonly cacheMark?: SharedV4ProviderOptions;
  /** Deltas are merged within so many milliseconds: 33 unless given. */
  readonly mergeMs?: number;
  /** Where the title comes from; the model itself unless given. */
  readonly title?: Model["title"];
  readonly clock?: Clock;
}

export type ReasoningEffort = Exclude<NonNullable<LanguageModelV4CallOptions["reasoning"]>, "provider-default">;

/** A title is a few words; a model that thinks first needs room for its thoughts as well. */
const TITLE_OUTPUT_TOKENS = 1_000;

/**
 * Any language model of the AI SDK as a `Model`, with a loop of tool calls.
 *
 * @example
 * createAiSdkModel({ id: "gpt-5", name: "GPT-5", languageModel: openai("gpt-5") })
 */
export function createAiSdkModel(options: AiSdkModelOptions): Model {
  const { id, name } = options;
  return {
    id,
    name,
    run: (request) => run(options, request),
    title: options.title ?? ((request) => modelTitle(options, request)),
  };
}

async function* run(
  options: AiSdkModelOptions,
  request: ModelRequest,
): AsyncGenerator<StreamEvent, ModelUsage, undefined> {
  const { id, languageModel, openTools, maxSteps = 8, mergeMs = 33, clock = systemClock, cacheMark } = options;
  const { history, instructions, contextChars, attachments, readAttachment, idleMs } = request;
  // Aborted when the run is left, whichever way: then nothing upstream goes on for nobody.
  const leaving = new AbortController();
  const signal = AbortSignal.any([request.signal, leaving.signal]);
  let opened: OpenTools | undefined;
  let begun = false;
  let usage: ModelUsage = {};
  const trace = startTrace(`answer ${id}`, {});
  const report = (call: ModelCall) => {
    usage = sumOf(usage, call);
    request.onUsage?.(call);
  };
  try {
    opened = await trace.within(() => openTools?.(signal));
    const tools = { ...options.tools, ...opened?.tools };
    const missing = opened?.missing ?? [];
    const declared = await declareTools(tools);
    const prompt = await openPrompt({
      history,
      instructions: withMissing(instructions, missing),
      contextChars,
      toolsChars: toolsChars(declared),
      attachments,
      readAttachment,
      cacheMark,
    });
    const steps = answerSteps({
      languageModel,
      prompt,
      tools,
      settings: { ...callSettings(options), ...(declared ? { tools: declared, toolChoice: { type: "auto" } } : {}) },
      maxSteps,
      mergeMs,
      meter: { modelId: id, purpose: "answer", report },
      clock,
      idleMs,
      signal,
      trace,
    });
    for (;;) {
      const { done, value } = await steps.next();
      if (done) {
        if (!begun && !request.signal.aborted) throw emptyAnswerError(value);
        return usage;
      }
      const says = value.type !== "start-step" && value.type !== "finish-step";
      if (says && !begun && missing.length > 0) yield* missingEvents(history);
      begun ||= says;
      yield value;
    }
  } catch (error) {
    if (request.signal.aborted) return usage;
    const failure = error instanceof SilenceError ? silenceError(idleMs ?? 0) : toModelError(error, begun);
    trace.failed(failure.code);
    throw failure;
  } finally {
    trace.end();
    leaving.abort();
    // Not waited for: tools that hang on closing must not hold up the answer's end.
    opened?.close?.().catch(() => undefined);
  }
}

function sumOf(usage: ModelUsage, call: ModelCall): ModelUsage {
  return {
    inputTokens: (usage.inputTokens ?? 0) + call.inputTokens,
    cachedInputTokens: (usage.cachedInputTokens ?? 0) + call.cachedInputTokens,
    outputTokens: (usage.outputTokens ?? 0) + call.outputTokens,
  };
}

function callSettings({ maxOutputTokens, temperature, reasoningEffort }: AiSdkModelOptions) {
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoningEffort === undefined ? {} : { reasoning: reasoningEffort }),
  };
}

/** A short call of its own; `undefined` where the model wrote something that is no title. */
async function modelTitle(
  { id, languageModel }: AiSdkModelOptions,
  { history, signal, onUsage = () => undefined }: TitleRequest,
): Promise<string | undefined> {
  const prompt = titlePrompt(history);
  if (prompt === undefined) return undefined;
  const call: LanguageModelV4CallOptions = {
    prompt: [
      { role: "system", content: titleInstructions },
      { role: "user", content: [{ type: "text", text: prompt }] },
    ],
    maxOutputTokens: TITLE_OUTPUT_TOKENS,
    abortSignal: signal,
  };
  const meter = new CallMeter(call, { modelId: id, purpose: "title", report: onUsage });
  try {
    const { content, usage } = await languageModel.doGenerate(call);
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    meter.told(usage);
    meter.received(text.length);
    meter.close();
    return cleanTitle(text);
  } catch (error) {
    throw toModelError(error, false);
  } finally {
    meter.cancel();
  }
}
