import { partsOf } from "../message.ts";
import type { ToolCallPart } from "../parts/tool-call.ts";
import type { Fold } from "./fold.ts";
import { put } from "./fold.ts";

/** What the events of a call bring, each some of it. */
interface Brought {
  readonly toolName?: string;
  readonly inputTextDelta?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
}

/** Writes to the call that an event names, wherever it stands; one that was not announced is announced now. */
export const foldToolCall: Fold<"tool"> = (answer, event) => {
  const { type, toolCallId } = event;
  const parts = partsOf(answer.message);
  const place = parts.findLastIndex((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
  const known = parts[place] as ToolCallPart | undefined;
  const { toolName, inputTextDelta = "", input, output, errorText }: Brought = event;
  const argsText = (known?.argsText ?? "") + inputTextDelta;
  return put(
    answer,
    {
      ...known,
      type: "tool-call",
      toolCallId,
      toolName: toolName || known?.toolName || "",
      argsText: argsText || (typeof input === "string" ? input : JSON.stringify(input)) || "",
      ...(input !== undefined && { args: input }),
      ...(type === "tool-output-available" && { result: output ?? null }),
      ...(errorText !== undefined && { result: errorText, isError: true }),
    },
    known && place,
  );
};
