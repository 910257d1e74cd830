import type { MCPClient } from "@ai-sdk/mcp";
import type { ToolSet } from "ai";

/**
 * All listed tools, from all pages of the list, except for tools that can only be called as tasks, which the client
 * does not support.
 */
export async function callableTools(client: MCPClient, signal: AbortSignal): Promise<ToolSet> {
  const options = { signal };
  let page = await client.listTools({ options });
  const tools = [...page.tools];
  while (page.nextCursor !== undefined) {
    page = await client.listTools({ params: { cursor: page.nextCursor }, options });
    tools.push(...page.tools);
  }
  return client.toolsFromDefinitions({ ...page, tools: tools.filter((tool) => !needsTask(tool)) });
}

/** MCP 2025-11-25, "Tool-Level Negotiation". */
function needsTask(tool: Readonly<Record<string, unknown>>): boolean {
  return (tool["execution"] as { readonly taskSupport?: unknown } | null | undefined)?.taskSupport === "required";
}
