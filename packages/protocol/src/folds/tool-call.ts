import { partsOf } from "../message.ts";
import type { ToolCallPart } from "../parts/tool-call.ts";
import type { Fold } from "./fold.ts";
import { withPartAt } from "./fold.ts";

/** The fields that an event of a tool call may have besides its id. */
interface ToolCallFields {
  readonly toolName?: string;
  readonly inputTextDelta?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
}

/** The `approval` that each event of an approval sets. */
const approvals: Readonly<Record<string, ToolCallPart["approval"]>> = {
  "tool-approval-request": "requested",
  "tool-output-denied": "denied",
  "data-tool-approved": "approved",
};

/**
 * Updates the tool call with the event's `toolCallId`, or appends a new one. `argsText` is the streamed text if there
 * is one, otherwise the input as JSON. A later result replaces an earlier one. A result implies that the call was
 * approved. An approval for a call that is not in the answer changes nothing.
 *
 * @example
 * // tool-input-start c1 "weather" · tool-input-delta c1 '{"city":"Уфа"}' · tool-output-available c1 -4
 * [{ type: "tool-call", toolCallId: "c1", toolName: "weather", argsText: '{"city":"Уфа"}', result: -4 }]
 */
export const foldToolCall: Fold<"tool" | "data-tool"> = (answer, event) => {
  const { type, toolCallId } = event;
  const parts = partsOf(answer.message);
  const index = parts.findLastIndex((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
  const before = parts[index] as ToolCallPart | undefined;
  const approval = approvals[type];
  if (approval) return before ? withPartAt(answer, { ...before, approval }, index) : answer;
  const { toolName, inputTextDelta = "", input, output, errorText } = event as ToolCallFields;
  const argsText = (before?.argsText ?? "") + inputTextDelta;
  const part: ToolCallPart = {
    ...before,
    type: "tool-call",
    toolCallId,
    toolName: toolName || before?.toolName || "",
    argsText: argsText || (typeof input === "string" ? input : JSON.stringify(input)) || "",
    ...(input !== undefined && { args: input }),
    ...(type === "tool-output-available" && { result: output ?? null }),
    ...(errorText !== undefined && { result: errorText, isError: true }),
    ...(before?.approval === "requested" && { approval: "approved" }),
  };
  return withPartAt(answer, part, index);
};
