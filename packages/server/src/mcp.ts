/** Tools of MCP servers, for models of the AI SDK. */
export { createMcpTools } from "./model/mcp/mcp-tools.ts";
export type { McpServer } from "./model/mcp/mcp-connection.ts";
export type { McpTools, McpToolsOptions } from "./model/mcp/mcp-tools.ts";
