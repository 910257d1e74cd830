import { UnsupportedFunctionalityError } from "@ai-sdk/provider";
import type { LanguageModelV4CallOptions, LanguageModelV4FinishReason, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { StreamEvent } from "@nitka/protocol";
import type { ToolSet } from "ai";
import { raceAbort } from "../race-abort.ts";
import { withRetries } from "../retry.ts";
import type { RunVisitor } from "../run-visitor.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { ToolFileOptions } from "../prompt/tool-files.ts";
import { toModelError } from "../to-model-error.ts";
import { reallyOf } from "../wire/tag-splitter.ts";
import type { BlockType } from "../wire/tag-splitter.ts";
import { AnswerEvents } from "./answer-events.ts";
import { openStream } from "./open-stream.ts";
import type { StreamOptions } from "./open-stream.ts";
import { StepContent } from "./step-content.ts";
import { parseToolCall, runToolCall } from "./tool-calls.ts";
import type { ParsedToolCall, ToolCallContext } from "./tool-calls.ts";

export interface StepLoopOptions extends ToolFileOptions, StreamOptions {
  readonly prompt: Prompt;
  /** The tools of the server and of the visitor's page. */
  readonly tools: ToolSet;
  readonly visitor: RunVisitor;
  /** The fields that every request contains besides the prompt. */
  readonly settings: Omit<LanguageModelV4CallOptions, "prompt" | "abortSignal">;
  /** The most requests to the model. */
  readonly maxSteps: number;
  /** Milliseconds after which a call of a server's tool fails; `null` for no limit. */
  readonly toolMs: number | null;
  /** Called when a block turns out to be of the other kind than it was sent as. */
  readonly onRecast?: ((blockId: string, really: BlockType) => void) | undefined;
}

type FinishReason = LanguageModelV4FinishReason["unified"];

/**
 * The step loop: sends a request to the model, runs its tool calls concurrently, and sends their results in the next
 * request. It ends when a step has no tool calls, after `maxSteps`, or when a tool call has no result. The last step
 * that `maxSteps` allows may not call tools, so that the answer ends with text. A model that made an invalid tool call
 * gets the error and another step. The loop replaces the AI SDK's `streamText`, which spends as much time on each event
 * as the provider's own code. Errors of the upstream are thrown unchanged.
 *
 * @returns the finish reason of the last step
 */
export async function* runStepLoop(options: StepLoopOptions): AsyncGenerator<StreamEvent, FinishReason, undefined> {
  const { prompt, tools, visitor, maxSteps, clock, toolMs, signal, trace, input, resultInput } = options;
  const events = new AnswerEvents();
  for (let step = 1; ; step += 1) {
    const content = new StepContent();
    const reason = yield* runStep(step < maxSteps ? options : withoutTools(options), events, content);
    const toolCalls = unfinished.has(reason) ? [] : content.pendingToolCalls();
    const context = { tools, visitor, messages: prompt.messages(), clock, toolMs, signal, trace, input, resultInput };
    const answering = toolCalls.map((call) => answerToolCall(call, context, events, content));
    yield* sideBySide(answering, signal);
    yield { type: "finish-step" };
    if (unfinished.has(reason) || (toolCalls.length === 0 && !content.hasInvalidToolCalls)) return reason;
    // A tool call without a result cannot be sent back.
    if (step === maxSteps || content.pendingToolCalls().length > 0) return reason;
    prompt.add(content.messages());
  }
}

/**
 * Finish reasons of a step that was cut off: its last tool call may be incomplete. A step with any other reason is
 * complete.
 */
const unfinished: ReadonlySet<FinishReason> = new Set(["length", "content-filter"]);

/**
 * The options of the last step: the tools stay declared, as some services require because of earlier calls, but none
 * may be called.
 */
function withoutTools(options: StepLoopOptions): StepLoopOptions {
  const { settings } = options;
  return { ...options, tools: {}, settings: settings.tools ? { ...settings, toolChoice: { type: "none" } } : settings };
}

/** Runs a tool call, and stores its result for the next request. */
async function* answerToolCall(
  { toolCallId, toolName, value: input }: ParsedToolCall,
  context: ToolCallContext,
  events: AnswerEvents,
  content: StepContent,
): AsyncGenerator<StreamEvent, void, undefined> {
  const id = events.toolCallId(toolCallId);
  const outcome = yield* runToolCall({ toolCallId: id, toolName, input }, context);
  if (!outcome) return;
  content.addToolResult(toolCallId, outcome.modelOutput, outcome.behind);
  if (outcome.result) yield events.toolReturned(id, outcome.result);
}

async function* runStep(
  options: StepLoopOptions,
  events: AnswerEvents,
  content: StepContent,
): AsyncGenerator<StreamEvent, FinishReason, undefined> {
  const { prompt, tools, settings, onRecast } = options;
  const open = () => openStream(options, { ...settings, prompt: prompt.messages() });
  const stream = await withMendedPrompt(() => withRetries(open, options), options);
  const { reader, idleTimeout, meter, span } = stream;
  let reason: FinishReason = "other";
  try {
    if (stream.first) yield events.startStep();
    for (let part = stream.first; part; part = await reader.read()) {
      idleTimeout.reset();
      if (part.type === "error") throw part.error;
      if (part.type === "stream-start" || part.type === "response-metadata") continue;
      if (part.type === "finish") {
        meter.setUsage(part.usage);
        reason = part.finishReason.unified;
        span.set({ "gen_ai.response.finish_reasons": [reason], ...tokenAttributes(part.usage) });
        continue;
      }
      if ("delta" in part) meter.addReceived(part.delta.length);
      if (part.type === "tool-call") {
        const parsed = await parseToolCall(part, tools);
        content.addToolCall(parsed);
        yield events.toolCalled(parsed);
        continue;
      }
      content.add(part);
      const event = events.translate(part);
      if (event) yield event;
      const really = reallyOf(part);
      if (really && event && "id" in event) onRecast?.(event.id ?? "", really);
    }
    if (reason === "error") throw new Error("The upstream has ended its response with an error");
    return reason;
  } catch (error) {
    throw stream.failed(error);
  } finally {
    stream.close();
  }
}

/** The statuses with which services refuse file bytes that the model cannot read. */
const fileRefusals: ReadonlySet<number | undefined> = new Set([400, 413, 415, 422]);

/**
 * Retries a refused request once without the bytes of its files, and a request that is too long with half of its
 * history.
 */
async function withMendedPrompt<T>(ask: () => Promise<T>, { prompt, signal }: StepLoopOptions): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const { code, status } = toModelError(error, false);
      const isOfFiles = UnsupportedFunctionalityError.isInstance(error) || fileRefusals.has(status);
      const isMended = (isOfFiles && prompt.omitFiles()) || (code === "context_too_long" && prompt.halve());
      if (signal.aborted || !isMended) throw error;
    }
  }
}

function tokenAttributes({ inputTokens, outputTokens }: LanguageModelV4Usage) {
  return {
    ...(inputTokens.total === undefined ? {} : { "gen_ai.usage.input_tokens": inputTokens.total }),
    ...(outputTokens.total === undefined ? {} : { "gen_ai.usage.output_tokens": outputTokens.total }),
  };
}

/**
 * Runs generators concurrently, and yields each value as it arrives.
 *
 * @throws the signal's reason when it is aborted
 */
export async function* sideBySide<T>(
  generators: readonly AsyncGenerator<T, void, undefined>[],
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const next = async (generator: AsyncGenerator<T, void, undefined>) => ({ generator, result: await generator.next() });
  const pending = new Map(generators.map((generator) => [generator, next(generator)]));
  // Generators that are still pending when this ends may reject later.
  for (const each of pending.values()) each.catch(() => undefined);
  while (pending.size > 0) {
    const { generator, result } = await raceAbort(Promise.race(pending.values()), signal);
    if (result.done) {
      pending.delete(generator);
      continue;
    }
    yield result.value;
    const following = next(generator);
    following.catch(() => undefined);
    pending.set(generator, following);
  }
}
