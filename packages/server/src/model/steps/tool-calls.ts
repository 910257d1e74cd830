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

import type { Trace } from "../trace/trace.ts";

/** A tool call with its parsed arguments. */
export type ParsedToolCall = LanguageModelV4ToolCall & {
  readonly value: unknown;
  /** Why the call is invalid: its arguments do not match the schema, or the tool does not exist. */
  readonly problem?: string;
};

/** The result of a tool call, in one form for the visitor and one for the model. */
export interface ToolCallOutcome {
  readonly toolCallId: string;
  readonly result:
    | { readonly type: "output"; readonly output: unknown }
    | { readonly type: "error"; readonly error: unknown };
  readonly modelOutput: LanguageModelV4ToolResultOutput;
}

export interface ToolCallContext {
  readonly tools: ToolSet;
  /** The prompt of the request that led to the calls. */
  readonly messages: LanguageModelV4Prompt;
  readonly signal: AbortSignal;
  /** The span of the answer. */
  readonly trace: Trace;
}

/** Parses the arguments of a tool call and checks them against the tool's schema, except for the provider's own tools. */
export async function parseToolCall(call: LanguageModelV4ToolCall, tools: ToolSet): Promise<ParsedToolCall> {
  const { toolName, input } = call;
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  // Many models send an empty text for a tool without arguments.
  const text = input.trim() === "" ? "{}" : input;
  const json = await safeParseJSON({ text });
  const value = json.success ? json.value : input;
  if (!tool) {
    if (call.providerExecuted) return { ...call, value };
    return { ...call, value, problem: new NoSuchToolError({ toolName, availableTools: Object.keys(tools) }).message };
  }
  const checked = json.success ? await safeValidateTypes({ value, schema: asSchema(tool.inputSchema) }) : json;
  return checked.success
    ? { ...call, value: checked.value }
    : {
        ...call,
        value,
        problem: new InvalidToolInputError({ toolName, toolInput: input, cause: checked.error }).message,
      };
}

/** Runs the tool calls in parallel and yields each outcome as it arrives. A tool without `execute` has no outcome. */
export async function* runToolCalls(
  calls: readonly ParsedToolCall[],
  context: ToolCallContext,
): AsyncGenerator<ToolCallOutcome, void, undefined> {
  const running = new Map(
    calls.map((call) => [call.toolCallId, runToolCall(call, context).then((outcome) => ({ call, outcome }))]),
  );
  const aborted = rejection(context.signal);
  while (running.size > 0) {
    const { call, outcome } = await Promise.race([aborted, ...running.values()]);
    running.delete(call.toolCallId);
    if (outcome) yield outcome;
  }
}

/** Runs one tool call; `undefined` for a tool without `execute`. It never rejects. */
async function runToolCall(
  { toolName, toolCallId, value: input }: ParsedToolCall,
  { tools, messages, signal, trace }: ToolCallContext,
): Promise<ToolCallOutcome | undefined> {
  const tool = tools[toolName] as Tool | undefined;
  if (!isExecutableTool(tool)) return undefined;
  const span = trace.child(`execute_tool ${toolName}`, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": toolName,
    "gen_ai.tool.call.id": toolCallId,
  });
  try {
    let output: unknown;
    const options = { toolCallId, messages: messages as ModelMessage[], abortSignal: signal, context: {} as never };
    await span.run(async () => {
      for await (const part of executeTool({ tool, input: input as never, options })) output = part.output;
    });
    const modelOutput = tool.toModelOutput
      ? modelOutputOf(await tool.toModelOutput({ toolCallId, input: input as never, output: output as never }))
      : plainOutput(output);
    return { toolCallId, result: { type: "output", output }, modelOutput };
  } catch (error) {
    span.fail(error instanceof Error ? error.name : "error");
    const modelOutput = { type: "error-text", value: errorText(error) } as const;
    return { toolCallId, result: { type: "error", error }, modelOutput };
  } finally {
    span.end();
  }
}

function plainOutput(output: unknown): LanguageModelV4ToolResultOutput {
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: jsonValue(output) };
}

/** The message of whatever a tool has thrown. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === "string" ? error : (JSON.stringify(error) ?? "unknown");
}

/** A tool's own output for the model. Content of the SDK's deprecated kinds becomes its JSON text. */
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

function rejection(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  // Prevents an unhandled rejection when no tool call is running.
  aborted.catch(() => undefined);
  return aborted;
}
