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

/** A model's call of a tool, its arguments read. */
export type ParsedCall = LanguageModelV4ToolCall & {
  readonly value: unknown;
  /** Why the call cannot be made: its arguments do not fit, or nobody knows its tool. */
  readonly problem?: string;
};

/** What came of a call: for the visitor, and for the model. */
export interface CallOutcome {
  readonly toolCallId: string;
  readonly result:
    | { readonly type: "output"; readonly output: unknown }
    | { readonly type: "error"; readonly error: unknown };
  readonly modelOutput: LanguageModelV4ToolResultOutput;
}

export interface CallSurroundings {
  readonly tools: ToolSet;
  /** What the model was sent before it called. */
  readonly messages: LanguageModelV4Prompt;
  readonly signal: AbortSignal;
  /** The answer's own. */
  readonly trace: Trace;
}

/** Reads a call's arguments and checks them against the tool's schema. A provider's own tools are its own to check. */
export async function parseCall(call: LanguageModelV4ToolCall, tools: ToolSet): Promise<ParsedCall> {
  const { toolName, input } = call;
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  // Many models write nothing at all for a tool without arguments.
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

/** Runs the calls at once and yields each outcome as it comes. A tool that nobody here can run has none. */
export async function* runCalls(
  calls: readonly ParsedCall[],
  surroundings: CallSurroundings,
): AsyncGenerator<CallOutcome, void, undefined> {
  const running = new Map(
    calls.map((call) => [call.toolCallId, runCall(call, surroundings).then((outcome) => ({ call, outcome }))]),
  );
  const aborted = rejection(surroundings.signal);
  while (running.size > 0) {
    const { call, outcome } = await Promise.race([aborted, ...running.values()]);
    running.delete(call.toolCallId);
    if (outcome) yield outcome;
  }
}

/** One call, from its arguments to its outcome; `undefined` where nobody here can run it. Never rejects. */
async function runCall(
  { toolName, toolCallId, value: input }: ParsedCall,
  { tools, messages, signal, trace }: CallSurroundings,
): Promise<CallOutcome | undefined> {
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
    await span.within(async () => {
      for await (const part of executeTool({ tool, input: input as never, options })) output = part.output;
    });
    const modelOutput = tool.toModelOutput
      ? sendable(await tool.toModelOutput({ toolCallId, input: input as never, output: output as never }))
      : plainOutput(output);
    return { toolCallId, result: { type: "output", output }, modelOutput };
  } catch (error) {
    span.failed(error instanceof Error ? error.name : "error");
    const modelOutput = { type: "error-text", value: errorText(error) } as const;
    return { toolCallId, result: { type: "error", error }, modelOutput };
  } finally {
    span.end();
  }
}

function plainOutput(output: unknown): LanguageModelV4ToolResultOutput {
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: jsonValue(output) };
}

/** What a tool says that went wrong. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === "string" ? error : (JSON.stringify(error) ?? "unknown");
}

/** A tool's own form, with what only the SDK's older forms of content hold as text. */
function sendable(output: ToolResultOutput): LanguageModelV4ToolResultOutput {
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
    const refuse = () => reject(signal.reason as Error);
    if (signal.aborted) refuse();
    else signal.addEventListener("abort", refuse, { once: true });
  });
  // Without a call that runs nobody waits for it.
  aborted.catch(() => undefined);
  return aborted;
}
