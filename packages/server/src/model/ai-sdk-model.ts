import type { PageTool, StreamEvent, Suggestion } from "@nitka/protocol";
import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { jsonSchema, tool } from "ai";
import type { ToolSet } from "ai";
import { systemClock } from "./clock.ts";
import { declareTools } from "./declare-tools.ts";
import { missingToolsNotice, withMissingToolsNote } from "./missing-tools.ts";
import type { Model, ModelCall, ModelEnd, ModelRequest, ModelUsage, TitleRequest } from "./model.ts";
import type { OpenTools, ToolRun } from "./open-tools.ts";
import { createWrittenContent } from "./written-content.ts";
import { citing, withoutCitations } from "./knowledge/citing.ts";
import { lookUp } from "./knowledge/look-up.ts";
import { FoundPassages, withKnowledgeNote } from "./knowledge/search-site.ts";
import { toolsChars, windowChars } from "./prompt/prompt-chars.ts";
import type { ModelInput } from "./prompt/model-input.ts";
import { openPrompt } from "./prompt/prompt.ts";
import { questionData } from "./prompt/question-data.ts";
import type { RetryOptions } from "./retry.ts";
import { runStepLoop } from "./steps/step-loop.ts";
import type { StepLoopOptions } from "./steps/step-loop.ts";
import { serverTool } from "./steps/tool-calls.ts";
import { askAboutExchange } from "./ask-about-exchange.ts";
import type { ExchangeOptions } from "./ask-about-exchange.ts";
import { parseSuggestions, suggestionsInstructions } from "./suggestions.ts";
import { parseTitle, titleInstructions } from "./title.ts";
import { startTrace } from "./trace/trace.ts";
import { emptyAnswerError, toModelError } from "./to-model-error.ts";
import { valueProblem } from "./value-problem.ts";
import { createVisitorTokens, visitorHeaders } from "./visitor-token.ts";

export interface AiSdkModelOptions extends ExchangeOptions {
  readonly name: string;
  /**
   * The kinds of files that the model reads besides text. Other files are left out, and a sentence tells the model so.
   * Default: all three.
   */
  readonly input?: readonly ModelInput[];
  /**
   * The kinds of files that it reads inside the result of a tool. Default: none, so that files of tools come after the
   * results.
   */
  readonly resultInput?: readonly ModelInput[];
  /** `false`: requests contain no tools, and no calls of earlier answers. Default: `true`. */
  readonly sendsTools?: boolean;
  readonly tools?: ToolSet;
  /** Opens tools when a run begins, for example those of MCP servers. */
  readonly openTools?: (signal: AbortSignal, run: ToolRun) => Promise<OpenTools>;
  /** The names of the tools that `openTools` opens. A page's tool may not have one of these names. */
  readonly knownTools?: () => readonly string[] | Promise<readonly string[]>;
  /** `true`: the text begins inside the tag, which the model's template has opened. */
  readonly reasoningFirst?: boolean;
  /** The most requests to the model in one run, so that a loop of tool calls ends. Default: 8. */
  readonly maxSteps?: number;
  /** The most tokens that the model may write in one request. Default: the provider's limit. */
  readonly maxOutputTokens?: number;
  /** The sampling temperature, for most providers 0 to 1 or 0 to 2. Default: the provider's. */
  readonly temperature?: number;
  /** How much a reasoning model thinks before it answers. Default: the provider's setting. */
  readonly reasoningEffort?: ReasoningEffort;
  /** Provider options that mark a prompt for caching. They are set on the instructions and on the last message. */
  readonly cacheMark?: SharedV4ProviderOptions;
  /** Deltas that arrive within this many milliseconds are merged into one event. Default: 33. */
  readonly mergeMs?: number;
  /** Makes titles. Default: a request to the language model. */
  readonly title?: Model["title"];
  /** Makes suggestions. Default: a request to the language model. */
  readonly suggest?: Model["suggest"];
}

export type ReasoningEffort = Exclude<NonNullable<LanguageModelV4CallOptions["reasoning"]>, "provider-default">;

/**
 * Makes a `Model` from a language model of the AI SDK. It runs tool calls and sends their results in another request to
 * the model.
 *
 * @example
 * createAiSdkModel({ id: "gpt-5", name: "GPT-5", languageModel: openai("gpt-5") })
 */
export function createAiSdkModel(options: AiSdkModelOptions): Model {
  const { id, name, tools = {}, knownTools, sendsTools = true } = options;
  return {
    id,
    name,
    toolNames: async () => (sendsTools ? [...Object.keys(tools), ...((await knownTools?.()) ?? [])] : []),
    takesTools: sendsTools,
    run: (request) => run(options, request),
    title: options.title ?? ((request) => modelTitle(options, request)),
    suggest: options.suggest ?? ((request) => modelSuggestions(options, request)),
  };
}

async function* run(
  options: AiSdkModelOptions,
  request: ModelRequest,
): AsyncGenerator<StreamEvent, ModelEnd, undefined> {
  const { sendsTools = true, input, contextTokens, reasoningTag = false, reasoningFirst } = options;
  const openTools = sendsTools ? options.openTools : undefined;
  const { id, languageModel, maxSteps = 8, mergeMs = 33, clock = systemClock, cacheMark } = options;
  const visitorTokens = options.identify && createVisitorTokens(options.identify);
  const { history, instructions, contextChars, attachments, readAttachment, expectFiles, idleMs, toolMs, feedbackUrl } =
    request;
  // Aborted when the generator ends for any reason, so that no upstream request or tool call outlives the run.
  const ended = new AbortController();
  const signal = AbortSignal.any([request.signal, ended.signal]);
  const written = createWrittenContent();
  let opened: OpenTools | undefined;
  let begun = false;
  let hasText = false;
  let usage: ModelUsage = {};
  const trace = startTrace(`answer ${id}`, {});
  const report = (call: ModelCall) => {
    usage = sumOf(usage, call);
    request.onUsage?.(call);
  };
  try {
    opened = await trace.run(() => openTools?.(signal, { asker: request.asker, write: written.write }));
    const found = request.knowledge && new FoundPassages(request.knowledge);
    const own = sendsTools ? { ...options.tools, ...opened?.tools, ...found?.tools() } : {};
    const declaredByPage = sendsTools ? request.visitor.tools : [];
    const pageTools = declaredByPage.filter(({ name }) => !Object.hasOwn(own, name));
    const hidden = declaredByPage.filter((tool) => !pageTools.includes(tool));
    if (hidden.length > 0) request.visitor.reportHidden(hidden.map(({ name }) => name));
    const visitor = { ...request.visitor, tools: pageTools };
    const tools = { ...own, ...pageToolSet(pageTools) };
    const known = { ...tools, ...found?.tools() };
    request.visitor.reportTools(Object.entries(known).map(([name, tool]) => serverTool(name, tool)));
    const missing = opened?.missing ?? [];
    const declared = await declareTools(tools);
    const looked = found && !sendsTools ? yield* lookUp(found, request, { clock, toolMs, signal, trace }) : undefined;
    const noted = withMissingToolsNote(instructions, missing);
    const prompt = await openPrompt({
      history: history.map(withoutCitations),
      instructions: found ? withKnowledgeNote(noted, { callsTools: sendsTools, feedbackUrl }) : noted,
      data: questionData({ ...request, siteSearch: looked?.siteSearch }),
      contextChars,
      windowChars: windowChars(contextTokens, options.maxOutputTokens),
      tellsCalls: sendsTools,
      input,
      toolsChars: toolsChars(declared),
      attachments,
      readAttachment,
      expectFiles,
      cacheMark,
      onSmaller: (reason) => request.onAgain?.({ modelId: id, reason }),
    });
    const loop: StepLoopOptions & RetryOptions = {
      languageModel,
      reasoningTag: reasoningTag === false ? undefined : { tag: reasoningTag, first: reasoningFirst },
      prompt,
      tools,
      visitor,
      settings: { ...requestSettings(options), ...(declared ? { tools: declared, toolChoice: { type: "auto" } } : {}) },
      maxSteps,
      mergeMs,
      meter: { modelId: id, purpose: "answer", report },
      clock,
      idleMs,
      onSignOfLife: request.onSignOfLife,
      toolMs,
      input,
      resultInput: options.resultInput,
      signal,
      trace,
      headers: () => visitorHeaders(visitorTokens, request.asker),
      onRequest: request.onRequest,
      onRecast: request.onRecast,
      onRetry: (retry) => request.onAgain?.({ modelId: id, ...retry }),
    };
    const answering = runStepLoop(loop);
    const cited = found ? citing(answering, found, request.onUnsourced) : answering;
    const steps = openTools ? written.between(cited) : cited;
    for (;;) {
      const { done, value } = await steps.next();
      if (done) {
        if (request.signal.aborted) return usage;
        if (!begun || (value === "content-filter" && !hasText)) throw emptyAnswerError(value);
        return value === "length" || value === "content-filter" ? { ...usage, cutOff: value } : usage;
      }
      const isContent = value.type !== "start-step" && value.type !== "finish-step";
      if (isContent && !begun && looked) yield* looked.events;
      if (isContent && !begun && missing.length > 0) yield* missingToolsNotice(history);
      begun ||= isContent;
      hasText ||= value.type === "text-delta" && value.delta !== "";
      yield value;
    }
  } catch (error) {
    if (request.signal.aborted) return usage;
    const failure = toModelError(error, begun);
    trace.fail(failure.code);
    throw failure;
  } finally {
    trace.end();
    ended.abort();
    // Not awaited: a tool server that hangs while closing must not delay the end of the answer.
    opened?.close?.().catch(() => undefined);
  }
}

/** The page's tools for a request to the model, without `execute`, since the page runs them. */
function pageToolSet(tools: readonly PageTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(parameters, { validate: (value) => checked(parameters, value) }),
      }),
    ]),
  );
}

function checked(parameters: PageTool["parameters"], value: unknown) {
  const problem = valueProblem(parameters, value);
  return problem === undefined
    ? ({ success: true, value } as const)
    : ({ success: false, error: new Error(problem) } as const);
}

function sumOf(usage: ModelUsage, call: ModelCall): ModelUsage {
  return {
    inputTokens: (usage.inputTokens ?? 0) + call.inputTokens,
    cachedInputTokens: (usage.cachedInputTokens ?? 0) + call.cachedInputTokens,
    outputTokens: (usage.outputTokens ?? 0) + call.outputTokens,
  };
}

function requestSettings({ maxOutputTokens, temperature, reasoningEffort }: AiSdkModelOptions) {
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoningEffort === undefined ? {} : { reasoning: reasoningEffort }),
  };
}

/** Asks the model for a title; `undefined` when its response contains no usable title. */
async function modelTitle(options: AiSdkModelOptions, request: TitleRequest): Promise<string | undefined> {
  const text = await askAboutExchange(options, request, { purpose: "title", instructions: titleInstructions });
  return text === undefined ? undefined : parseTitle(text);
}

/** Asks the model for follow-up questions. */
async function modelSuggestions(options: AiSdkModelOptions, request: TitleRequest): Promise<readonly Suggestion[]> {
  const asked = { purpose: "suggestions", instructions: suggestionsInstructions } as const;
  return parseSuggestions((await askAboutExchange(options, request, asked)) ?? "");
}
