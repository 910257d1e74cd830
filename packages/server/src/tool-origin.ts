/**
 * Where the tool of a stored call comes from. It is stored with the calls of projects whose `toolViews` may name it, and leaves
 * the server with none of them: the name alone does not tell which server's tool it was.
 */
import type { Message, Part } from "@nitka/protocol";

/** The MCP server and the tool's name there; `null` for a tool of no MCP server. */
export type ToolOrigin = { readonly server: string; readonly tool: string } | null;

type ToolCallPart = Extract<Part, { readonly type: "tool-call" }>;

/** A stored call. `mcp` is absent where the model did not say which tools it has. */
export type StoredToolCall = ToolCallPart & { readonly mcp?: ToolOrigin };

/** The message with the origin of one of its calls. */
export function withOrigin(message: Message, toolCallId: string, mcp: ToolOrigin): Message {
  if (typeof message.content === "string") return message;
  const content = message.content.map((part) =>
    part.type === "tool-call" && part.toolCallId === toolCallId ? { ...part, mcp } : part,
  );
  return { ...message, content };
}

/** The message that a run's logged events fold to, with the origins that these events name. */
export function withLoggedOrigins(message: Message, log: readonly { readonly data: string }[]): Message {
  return log.reduce((marked, { data }) => {
    if (!data.startsWith('{"type":"tool-input-')) return marked;
    const { toolCallId, mcp } = JSON.parse(data) as { readonly toolCallId: string; readonly mcp?: ToolOrigin };
    return mcp === undefined ? marked : withOrigin(marked, toolCallId, mcp);
  }, message);
}
