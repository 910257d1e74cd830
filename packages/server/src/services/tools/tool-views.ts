/** How much of a tool's calls leaves the server. What is stored and what the model is sent is always all of it. */
import type { Message, Part, StreamEvent } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";

/**
 * - `all`: arguments and result.
 * - `args`: no result: its output is `null`, the text of its error is empty.
 * - `name`: no arguments either: they are `{}`.
 * - `hidden`: nothing. A call that asks for the visitor's approval is shown as with `name`.
 */
export type ToolView = "all" | "args" | "name" | "hidden";

export const TOOL_VIEWS: readonly ToolView[] = ["all", "args", "name", "hidden"];

/** The view of each tool, by the name that the model calls it by. A tool without a view shows all. */
export type ToolViews = Readonly<Record<string, ToolView>>;

/** The view of one event. `asked`: the event by which a hidden call asks for approval, and so appears. */
type EventView = "args" | "name" | "hidden" | "asked";

/** The beginnings of the events about tool calls that a view may change. The request to a page is not among them: it is for the page. */
const viewed = ['{"type":"tool-', '{"type":"data-tool-approved"'] as const;

/**
 * An event with its view, as it goes into the run's log: a later event of a call has the call's id alone, so a reader that
 * begins in the middle could not tell its tool.
 *
 * @param answer the answer before the event
 */
export function withView(event: StreamEvent, answer: Message, views: ToolViews): StreamEvent {
  if (!("toolCallId" in event) || event.type === "data-tool-request") return event;
  const { toolCallId } = event;
  const call = partsOf(answer).findLast((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
  const before = call?.type === "tool-call" ? call : undefined;
  const toolName = ("toolName" in event && event.toolName) || before?.toolName || "";
  const view = viewOf(toolName, before?.approval !== undefined, views);
  if (view === "all") return event;
  const asks = view === "hidden" && event.type === "tool-approval-request";
  const extra = asks ? { view: "asked" satisfies EventView, toolName } : { view };
  return { ...event, ...extra };
}

/**
 * The events that are sent for an event of a run's log.
 *
 * @example
 * shownEvents('{"type":"tool-output-available","toolCallId":"c1","output":5,"view":"args"}')
 * // ['{"type":"tool-output-available","toolCallId":"c1","output":null}']
 */
export function shownEvents(data: string): readonly string[] {
  if (!viewed.some((beginning) => data.startsWith(beginning))) return [data];
  const event = JSON.parse(data) as LoggedToolEvent;
  const { view, ...rest } = event.data ?? event;
  if (view === undefined) return [data];
  if (view === "hidden") return [];
  if (view === "asked") {
    const { toolName, ...request } = rest;
    const call = { type: "tool-input-available", toolCallId: rest.toolCallId, toolName, input: {} };
    return [JSON.stringify(call), JSON.stringify(request)];
  }
  if (view === "name" && event.type === "tool-input-delta") return [];
  const shown = {
    ...rest,
    ...("output" in rest && { output: null }),
    ...("errorText" in rest && { errorText: "" }),
    ...(view === "name" && "input" in rest && { input: {} }),
  };
  return [JSON.stringify(event.data ? { ...event, data: shown } : shown)];
}

interface LoggedToolEvent {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly view?: EventView;
  /** The fields of `data-tool-approved`. */
  readonly data?: Omit<LoggedToolEvent, "type" | "data">;
}

/** A message as it leaves the server. It is what its shown events fold to. */
export function shownMessage(message: Message, views: ToolViews | undefined): Message {
  if (views === undefined || message.role !== "assistant" || typeof message.content === "string") return message;
  return { ...message, content: message.content.flatMap((part) => shownPart(part, views)) };
}

function shownPart(part: Part, views: ToolViews): readonly Part[] {
  if (part.type !== "tool-call") return [part];
  const view = viewOf(part.toolName, part.approval !== undefined, views);
  if (view === "all") return [part];
  if (view === "hidden") return [];
  const { args, argsText, result, ...call } = part;
  return [
    {
      ...call,
      ...(view === "args" ? { argsText, ...(args !== undefined && { args }) } : namedArguments(args)),
      ...(result !== undefined && { result: call.isError ? "" : null }),
    },
  ];
}

function namedArguments(args: unknown): { readonly argsText: string; readonly args?: unknown } {
  return args === undefined ? { argsText: "" } : { argsText: "{}", args: {} };
}

function viewOf(toolName: string, asks: boolean, views: ToolViews): ToolView {
  const view = Object.hasOwn(views, toolName) ? (views[toolName] ?? "all") : "all";
  return view === "hidden" && asks ? "name" : view;
}
