/** How much of a tool's calls leaves the server. The storage and the model always get everything. */
import type { Message, Part, StreamEvent } from "@nitka/protocol";
import { fileUrlOf, partsOf } from "@nitka/protocol/message";
import type { StoredToolCall, ToolOrigin } from "../../tool-origin.ts";
import { toolFilesOf } from "../../tool-files.ts";
import { ruleOf } from "./tool-rule.ts";
import type { KnownTool } from "./tool-rule.ts";

/**
 * - `all`: arguments and result.
 * - `args`: no result: the output is `null`, and the error text is empty.
 * - `name`: no arguments either: they are `{}`.
 * - `hidden`: nothing. A call that asks for the visitor's approval is shown as with `name`.
 */
export type ToolView = "all" | "args" | "name" | "hidden";

export const TOOL_VIEWS: readonly ToolView[] = ["all", "args", "name", "hidden"];

/**
 * The view of each tool, with keys like the entries of `approve`: `search`, or `shop/search` of the MCP server `shop`,
 * with `*` for any text. Of several matching entries, the one with the most literal characters counts; in a tie, the
 * strictest. A tool without a matching entry shows everything.
 */
export type ToolViews = Readonly<Record<string, ToolView>>;

/** The view of one event. `asked`: the event with which a hidden call asks for approval, and so becomes visible. */
type EventView = ToolView | "asked";

/**
 * The beginnings of the tool events that a view may change. A request to a page is not among them, since the page needs
 * it.
 */
const viewed = ['{"type":"tool-', '{"type":"data-tool-approved"'] as const;

/**
 * An event with its view, as it is logged. A later event of a call only has the call's id, so a reader that begins in
 * the middle could not tell which tool it belongs to. Events that name a tool also contain its origin.
 *
 * @param answer the answer before the event
 * @param originOf the origin of a tool; `undefined` when it is unknown
 */
export function withView(
  event: StreamEvent,
  answer: Message,
  views: ToolViews,
  originOf: (toolName: string) => ToolOrigin | undefined,
): StreamEvent {
  if (!("toolCallId" in event) || event.type === "data-tool-request") return event;
  const { toolCallId } = event;
  const call = partsOf(answer).findLast((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
  const before = call?.type === "tool-call" ? call : undefined;
  const name = ("toolName" in event && event.toolName) || before?.toolName || "";
  const mcp = originOf(name);
  const view = viewOf({ name, mcp }, before?.approval !== undefined, views);
  const asks = view === "hidden" && event.type === "tool-approval-request";
  const extra = asks ? { view: "asked" satisfies EventView, toolName: name } : { view };
  return { ...event, ...extra, ...("toolName" in event && mcp !== undefined && { mcp }) };
}

/**
 * The events to send for an event of a run's log.
 *
 * @example
 * shownEvents('{"type":"tool-output-available","toolCallId":"c1","output":5,"view":"args"}')
 * // ['{"type":"tool-output-available","toolCallId":"c1","output":null}']
 */
export function shownEvents(data: string): readonly string[] {
  if (!viewed.some((beginning) => data.startsWith(beginning))) return [data];
  const event = JSON.parse(data) as LoggedToolEvent;
  const { view, mcp: _, ...rest } = event.data ?? event;
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
    ...(view !== "all" && "output" in rest && { output: null }),
    ...(view !== "all" && "errorText" in rest && { errorText: "" }),
    ...(view === "name" && "input" in rest && { input: {} }),
  };
  return [JSON.stringify(event.data ? { ...event, data: shown } : shown)];
}

interface LoggedToolEvent {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly view?: EventView;
  readonly mcp?: ToolOrigin;
  /** The fields of `data-tool-approved`. */
  readonly data?: Omit<LoggedToolEvent, "type" | "data">;
}

/** The view of a call in an answer. */
export function callView(answer: Message, toolCallId: string, views: ToolViews): ToolView {
  const call = partsOf(answer).findLast((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
  return call?.type === "tool-call" ? partView(call, views) : "all";
}

/** A message as it leaves the server: it equals the fold of its shown events. Files of hidden outputs are left out. */
export function shownMessage(message: Message, views: ToolViews | undefined): Message {
  if (views === undefined || message.role !== "assistant" || typeof message.content === "string") return message;
  const unseen = new Set(
    message.content.flatMap((part) =>
      part.type === "tool-call" && partView(part, views) !== "all"
        ? toolFilesOf(part.result).map(({ url }) => url)
        : [],
    ),
  );
  const shown =
    unseen.size === 0 ? message.content : message.content.filter((part) => !unseen.has(fileUrlOf(part) ?? ""));
  return { ...message, content: shown.flatMap((part) => shownPart(part, views)) };
}

function partView(part: StoredToolCall, views: ToolViews): ToolView {
  return viewOf({ name: part.toolName, mcp: part.mcp }, part.approval !== undefined, views);
}

function shownPart(part: Part, views: ToolViews): readonly Part[] {
  if (part.type !== "tool-call") return [part];
  const { mcp: _, ...whole }: StoredToolCall = part;
  const view = partView(part, views);
  if (view === "all") return [whole];
  if (view === "hidden") return [];
  const { args, argsText, result, ...call } = whole;
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

function viewOf(tool: KnownTool, asks: boolean, views: ToolViews): ToolView {
  const view = ruleOf(tool, Object.entries(views), (each) => TOOL_VIEWS.indexOf(each)) ?? "all";
  return view === "hidden" && asks ? "name" : view;
}
