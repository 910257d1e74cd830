import type { StreamEvent } from "@nitka/protocol";
import type { PartKind } from "./part-kind.ts";

export const toolCall: PartKind<"tool-call"> = {
  eventsOf({ toolCallId, toolName, argsText, args, result, isError, approval }) {
    const input: StreamEvent[] = [
      { type: "tool-input-start", toolCallId, toolName },
      { type: "tool-input-delta", toolCallId, inputTextDelta: argsText },
    ];
    if (args !== undefined) input.push({ type: "tool-input-available", toolCallId, toolName, input: args });
    if (approval !== undefined) input.push({ type: "tool-approval-request", toolCallId, approvalId: toolCallId });
    if (approval === "approved") input.push({ type: "data-tool-approved", toolCallId });
    if (approval === "denied") input.push({ type: "tool-output-denied", toolCallId });
    if (result === undefined) return input;
    return isError
      ? [...input, { type: "tool-output-error", toolCallId, errorText: textOf(result) }]
      : [...input, { type: "tool-output-available", toolCallId, output: result }];
  },
};

function textOf(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
}
