import type { Clock } from "../clock.ts";
import { systemClock } from "../clock.ts";
import type { OpenTools } from "../open-tools.ts";
import { McpConnection } from "./mcp-connection.ts";
import type { McpServer } from "./mcp-connection.ts";
import { nameTools } from "./name-tools.ts";
import { readableTools } from "./readable-tools.ts";

export interface McpToolsOptions {
  readonly servers: Readonly<Record<string, McpServer>>;
  /** Told of a server that cannot be used, once until it is back, and of each call that did not get through. */
  readonly onError: (serverName: string, error: unknown) => void;
  /** For how long a run waits for a server, in milliseconds: 5,000 unless given. */
  readonly connectTimeoutMs?: number;
  readonly clock?: Clock;
}

/** The tools of MCP servers. Connections and lists of tools are kept, and all runs share them. */
export interface McpTools {
  /**
   * The tools of the servers that are there, and the names of those that are not. A server that is down is waited for
   * once; from then on it is missing at once, until it answers in the background.
   */
  readonly open: (signal: AbortSignal) => Promise<OpenTools>;
  /** Ends the connections. Resolves when the servers know, after two seconds at the latest. */
  readonly close: () => Promise<void>;
}

/**
 * Connects to MCP servers when a run first needs them.
 *
 * @example
 * const tools = createMcpTools({ servers: { shop: { type: "http", url } }, onError: console.error });
 * createOpenAiCompatibleModel({ model: "gpt-5-mini", baseUrl, openTools: tools.open });
 */
export function createMcpTools(options: McpToolsOptions): McpTools {
  const { servers, onError, connectTimeoutMs = 5_000, clock = systemClock } = options;
  const connections = Object.entries(servers).map(
    ([name, server]) =>
      new McpConnection(server, { connectTimeoutMs, clock, onDown: (error) => onError(name, error) }, name),
  );
  return {
    async open(signal) {
      const isThere = await Promise.all(connections.map((connection) => connection.isThere(signal)));
      const present = new Set(connections.filter((_, index) => isThere[index]));
      // Those that are missing count for the names as well: no tool is called otherwise because another server is away.
      const named = nameTools(
        connections.map((connection) => ({
          server: connection.name,
          tools: readableTools(connection, (error) => {
            if (!signal.aborted) onError(connection.name, error);
          }),
        })),
      );
      const missing = connections.filter((connection) => !present.has(connection)).map(({ name }) => name);
      const there = new Set([...present].map(({ name }) => name));
      return {
        tools: Object.fromEntries(named.flatMap(({ server, name, tool }) => (there.has(server) ? [[name, tool]] : []))),
        missing,
      };
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
