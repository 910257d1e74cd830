import type {
  JSONValue,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import { asSchema, executeTool, isExecutableTool, safeParseJSON, safeValidateTypes } from "@ai-sdk/provider-utils";
import type { Tool, ToolResultOutput } from "@ai-sdk/provider-utils";
import { InvalidToolInputError, NoSuchToolError } from "ai";
import type { ModelMessage, ToolSet } from "ai";
import type { StreamEvent } from "@nitka/protocol";
import type { Clock } from "../clock.ts";
import { startIdleTimeout } from "../idle-timeout.ts";
import { raceAbort } from "../race-abort.ts";
import type { Denied, PageOutcome, RunVisitor, ServerTool, VisitorCall } from "../run-visitor.ts";
import { DENIED, isObject } from "../prompt/answer-turns.ts";
import { toldFiles } from "../prompt/tool-files.ts";
import type { ToolFileOptions } from "../prompt/tool-files.ts";
import type { UserPart } from "../prompt/user-pieces.ts";
import type { Trace } from "../trace/trace.ts";

/**
 * The most milliseconds that progress can extend a server's tool call beyond `toolMs`. It is shorter than the silence
 * after which the whole run fails.
 */
const MAX_PROGRESS_MS = 540_000;

/** A tool call with its parsed arguments. */
export type ParsedToolCall = LanguageModelV4ToolCall & {
  readonly value: unknown;
  /** Why the call is invalid: its arguments do not match the schema, or the tool does not exist. */
  readonly problem?: string;
};

/** The result of a tool call, in one form for the visitor and one for the model. */
export interface ToolCallOutcome {
  /** Absent for a denied call. */
  readonly result?:
    | { readonly type: "output"; readonly output: unknown }
    | { readonly type: "error"; readonly error: unknown };
  readonly modelOutput: LanguageModelV4ToolResultOutput;
  /** Files for the model, after the results of all tools. */
  readonly behind?: readonly UserPart[];
}

export interface ToolCallContext extends ToolFileOptions {
  /** The tools of the server and of the page. */
  readonly tools: ToolSet;
  readonly visitor: RunVisitor;
  /** The prompt of the request that led to the calls. */
  readonly messages: LanguageModelV4Prompt;
  readonly clock: Clock;
  /** Milliseconds after which a call of a server's tool fails; `null` for no limit. */
  readonly toolMs: number | null;
  readonly signal: AbortSignal;
  /** The trace span of the answer. */
  readonly trace: Trace;
}

/** Parses the arguments of a tool call and checks them against the tool's schema, except for the provider's own tools. */
export async function parseToolCall(call: LanguageModelV4ToolCall, tools: ToolSet): Promise<ParsedToolCall> {
  const { toolName, input } = call;
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  // Many models send an empty text for a tool without arguments.
  const text = input.trim() === "" ? "{}" : input;
  const json = await safeParseJSON({ text });
  const value = json.success ? await argumentsOf(json.value) : input;
  if (!tool) {
    if (call.providerExecuted) return { ...call, value };
    return { ...call, value, problem: new NoSuchToolError({ toolName, availableTools: Object.keys(tools) }).message };
  }
  const checked = !json.success
    ? json
    : isObject(value)
      ? await safeValidateTypes({ value, schema: asSchema(tool.inputSchema) })
      : { success: false as const, error: new TypeError("The arguments must be an object.") };
  return checked.success
    ? { ...call, value: checked.value }
    : {
        ...call,
        value,
        problem: new InvalidToolInputError({ toolName, toolInput: input, cause: checked.error }).message,
      };
}

/** Some models write `null` for no arguments, or a string that contains the JSON of the arguments. */
async function argumentsOf(value: unknown): Promise<unknown> {
  if (value === null) return {};
  const inner = typeof value === "string" ? await safeParseJSON({ text: value }) : undefined;
  return inner?.success && isObject(inner.value) ? inner.value : value;
}

/**
 * Runs one tool call, on the server or on the visitor's page, and yields the events of a wait for the visitor. Returns
 * `undefined` for a tool that cannot be run. It throws only when the run has ended.
 *
 * @param call its id is the call's id in the answer
 */
export async function* runToolCall(
  call: VisitorCall,
  { tools, visitor, ...context }: ToolCallContext,
): AsyncGenerator<StreamEvent, ToolCallOutcome | undefined, undefined> {
  const { toolName } = call;
  if (visitor.tools.some(({ name }) => name === toolName)) return outcomeOfPage(yield* visitor.runOnPage(call));
  const tool = tools[toolName] as Tool | undefined;
  if (!isExecutableTool(tool)) return undefined;
  if (visitor.mustApprove(serverTool(toolName, tool))) {
    const approval = yield* visitor.approve(call);
    if (approval.type !== "approved") return deniedOutcome(approval);
  }
  return execute(tool, call, context);
}

/** Executes a server's tool. It never rejects. */
async function execute(
  tool: ExecutableTool,
  { toolName, toolCallId, input }: VisitorCall,
  { messages, clock, toolMs, signal, trace, ...reads }: Omit<ToolCallContext, "tools" | "visitor">,
): Promise<ToolCallOutcome> {
  const span = trace.child(`execute_tool ${toolName}`, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": toolName,
    "gen_ai.tool.call.id": toolCallId,
  });
  const timeout = startIdleTimeout(toolMs, clock);
  const limitMs = toolMs === null ? null : Math.max(toolMs, MAX_PROGRESS_MS);
  const limit = startIdleTimeout(limitMs, clock);
  const abortSignal = AbortSignal.any([signal, timeout.signal, limit.signal]);
  const returned = async (): Promise<ToolCallOutcome> => {
    let output: unknown;
    const options = { toolCallId, messages: messages as ModelMessage[], abortSignal, context: {} as never };
    for await (const part of executeTool({ tool, input: input as never, options })) {
      // A preliminary result shows that the tool is working.
      timeout.reset();
      output = part.output;
    }
    const told = tool.toModelOutput ? undefined : await toldFiles(toolName, output, reads);
    if (told) return { result: { type: "output", output }, modelOutput: told.output, behind: told.behind };
    const modelOutput = tool.toModelOutput
      ? modelOutputOf(await tool.toModelOutput({ toolCallId, input: input as never, output: output as never }))
      : plainOutput(output);
    return { result: { type: "output", output }, modelOutput };
  };
  try {
    return await raceAbort(span.run(returned), abortSignal);
  } catch (error) {
    span.fail(error instanceof Error ? error.name : "error");
    const late = [timeout.signal.aborted && toolMs, limit.signal.aborted && limitMs].find(Boolean);
    return errorOutcome(late && !signal.aborted ? `The tool did not answer within ${seconds(late)}.` : error);
  } finally {
    timeout.stop();
    limit.stop();
    span.end();
  }
}

type ExecutableTool = Extract<Parameters<typeof executeTool>[0]["tool"], Tool>;

/**
 * The tool as a project's `approve` names it, with its origin from MCP's metadata. A tool with annotations counts as
 * destructive unless they say otherwise, following MCP's defaults. A tool without annotations does not.
 */
export function serverTool(name: string, { metadata }: { readonly metadata?: unknown }): ServerTool {
  const { server, toolName, annotations } = (metadata ?? {}) as McpMetadata;
  return {
    name,
    ...(server !== undefined && { mcp: { server, tool: toolName ?? name } }),
    destructive:
      annotations !== undefined && annotations.readOnlyHint !== true && annotations.destructiveHint !== false,
  };
}

/** The metadata of the AI SDK's MCP client. We add `server`. */
interface McpMetadata {
  readonly server?: string;
  readonly toolName?: string;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

function outcomeOfPage(outcome: PageOutcome): ToolCallOutcome {
  switch (outcome.type) {
    case "output":
      return { result: outcome, modelOutput: plainOutput(outcome.output) };
    case "failed":
      return errorOutcome(outcome.errorText);
    case "expired":
      return errorOutcome(`The page did not answer within ${seconds(outcome.waitedMs)}.`);
    case "denied":
      return deniedOutcome(outcome);
    default:
      return outcome satisfies never;
  }
}

/**
 * The outcome of a denied call. The visitor sees their reason in the answer. The model gets the reason as data, because
 * it is not an instruction of the project.
 */
function deniedOutcome(denied: Denied): ToolCallOutcome {
  const sentence =
    denied.type === "expired"
      ? `The visitor did not allow this call within ${seconds(denied.waitedMs)}, so the tool did not run.`
      : DENIED;
  const reason = denied.type === "denied" && denied.reason ? ` Their reason: ${JSON.stringify(denied.reason)}` : "";
  return { modelOutput: { type: "execution-denied", reason: sentence + reason } };
}

function errorOutcome(error: unknown): ToolCallOutcome {
  return { result: { type: "error", error }, modelOutput: { type: "error-text", value: errorText(error) } };
}

function seconds(ms: number): string {
  return `${ms / 1000} seconds`;
}

function plainOutput(output: unknown): LanguageModelV4ToolResultOutput {
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: jsonValue(output) };
}

/** The message of a value that a tool has thrown. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === "string" ? error : (JSON.stringify(error) ?? "unknown");
}

/** The output of a tool's own `toModelOutput`. Content of the SDK's deprecated kinds becomes its JSON text. */
function modelOutputOf(output: ToolResultOutput): LanguageModelV4ToolResultOutput {
  if (output.type !== "content") return output;
  const value = output.value.map((part) => {
    if (part.type === "text") return part;
    if (part.type === "file" && part.data.type === "data" && !(part.data.data instanceof ArrayBuffer)) {
      return { ...part, data: { type: "data" as const, data: part.data.data } };
    }
    return { type: "text" as const, text: JSON.stringify(part) };
  });
  return { type: "content", value };
}

function jsonValue(value: unknown): JSONValue {
  return JSON.parse(JSON.stringify(value ?? null) ?? "null") as JSONValue;
}
