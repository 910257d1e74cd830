/**
 * The origin of a stored call's tool. It is stored with the calls of projects whose `toolViews` may name it, because a
 * tool's name does not tell which server it belongs to. It never leaves the server.
 */
import type { Message, Part } from "@nitka/protocol";

/** The MCP server and the tool's name there; `null` for a tool of no MCP server. */
export type ToolOrigin = { readonly server: string; readonly tool: string } | null;

type ToolCallPart = Extract<Part, { readonly type: "tool-call" }>;

/** A stored call. `mcp` is absent when the model did not report its tools. */
export type StoredToolCall = ToolCallPart & { readonly mcp?: ToolOrigin };

/** The message with the origin of one of its calls added. */
export function withOrigin(message: Message, toolCallId: string, mcp: ToolOrigin): Message {
  if (typeof message.content === "string") return message;
  const content = message.content.map((part) =>
    part.type === "tool-call" && part.toolCallId === toolCallId ? { ...part, mcp } : part,
  );
  return { ...message, content };
}

/** Adds the origins that a run's logged events contain to the message that these events fold to. */
export function withLoggedOrigins(message: Message, log: readonly { readonly data: string }[]): Message {
  return log.reduce((marked, { data }) => {
    if (!data.startsWith('{"type":"tool-input-')) return marked;
    const { toolCallId, mcp } = JSON.parse(data) as { readonly toolCallId: string; readonly mcp?: ToolOrigin };
    return mcp === undefined ? marked : withOrigin(marked, toolCallId, mcp);
  }, message);
}
