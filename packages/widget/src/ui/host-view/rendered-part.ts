import type { RenderedCode, RenderedData, RenderedTool } from "./renderers.ts";
import { isAsking } from "../../store/selectors.ts";
import type { CallState } from "../../store/state.ts";
import type { ShownPart } from "../chat-context.tsx";

type ToolCallPart = Extract<ShownPart, { readonly type: "tool-call" }>;

export type RenderedPart = RenderedTool | RenderedData | RenderedCode;

/**
 * Converts a part to the form that renderers get.
 *
 * @param running whether the answer is being written
 * @param call what the tool call waits for, if it waits
 */
export function renderedPart(part: ShownPart, running: boolean, call?: CallState): RenderedPart {
  switch (part.type) {
    case "tool-call":
      return renderedTool(part, running, call);
    case "data":
      return { name: part.name, id: part.id, data: part.data };
    case "code":
      return { language: part.language, text: part.pieces.join(""), complete: part.closed ?? !running };
    default:
      return part satisfies never;
  }
}

/** Whether both parts have the same content. Messages that are loaded again contain equal parts. */
export function isSamePart(before: RenderedPart, after: RenderedPart): boolean {
  const old = before as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(after).every(([name, value]) => {
    if (typeof value !== "object") return value === old[name];
    return JSON.stringify(value) === JSON.stringify(old[name]);
  });
}

function renderedTool(part: ToolCallPart, running: boolean, call: CallState | undefined): RenderedTool {
  const { toolCallId, toolName, args, argsText, result } = part;
  const state = stateOf(part, running, call);
  // Backends may only store the text of the arguments.
  return { toolName, toolCallId, args: args ?? (state === "streaming" ? undefined : parse(argsText)), result, state };
}

function stateOf(
  { result, isError, approval, args }: ToolCallPart,
  running: boolean,
  call: CallState | undefined,
): RenderedTool["state"] {
  if (result !== undefined) return isError ? "failed" : "done";
  if (approval === "denied") return "denied";
  // The answer ended before the tool did.
  if (!running) return "failed";
  if (approval === "requested" || call?.type === "waiting" || isAsking(call)) return "waiting";
  return args === undefined ? "streaming" : "running";
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
