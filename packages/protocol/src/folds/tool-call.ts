import type { ToolCallPart } from "../parts/tool-call.ts";
import { append } from "./fold.ts";
import type { Draft, Folds } from "./fold.ts";

type ToolEvent =
  | "tool-input-start"
  | "tool-input-delta"
  | "tool-input-available"
  | "tool-input-error"
  | "tool-output-available"
  | "tool-output-error";

export const toolCallFolds: Folds<ToolEvent> = {
  "tool-input-start": (draft, { toolCallId, toolName }) => change(draft, toolCallId, (call) => ({ ...call, toolName })),
  "tool-input-delta": (draft, { toolCallId, inputTextDelta }) =>
    change(draft, toolCallId, (call) => ({ ...call, argsText: call.argsText + inputTextDelta })),
  "tool-input-available": (draft, { toolCallId, toolName, input }) =>
    change(draft, toolCallId, (call) => ({ ...call, ...called(call, toolName, input) })),
  "tool-input-error": (draft, { toolCallId, toolName, input, errorText }) =>
    change(draft, toolCallId, (call) => ({
      ...call,
      ...called(call, toolName, input),
      result: errorText,
      isError: true,
    })),
  "tool-output-available": (draft, { toolCallId, output }) =>
    change(draft, toolCallId, (call) => ({ ...call, result: output })),
  "tool-output-error": (draft, { toolCallId, errorText }) =>
    change(draft, toolCallId, (call) => ({ ...call, result: errorText, isError: true })),
};

function called(call: ToolCallPart, toolName: string, input: unknown): Partial<ToolCallPart> {
  const argsText = call.argsText || (typeof input === "string" ? input : (JSON.stringify(input) ?? ""));
  return { toolName: toolName || call.toolName, argsText, args: input };
}

/** Changes the call of this id, wherever it stands; one that was not announced is announced now. */
function change(draft: Draft, toolCallId: string, changed: (call: ToolCallPart) => ToolCallPart): Draft {
  const index = draft.parts.findLastIndex((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
  const call = draft.parts[index];
  if (call?.type === "tool-call") return { ...draft, parts: draft.parts.with(index, changed(call)) };
  return append(draft, changed({ type: "tool-call", toolCallId, toolName: "", argsText: "" }));
}
