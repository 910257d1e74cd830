import type { Clock } from "../clock.ts";
import { systemClock } from "../clock.ts";
import type { OpenTools } from "../open-tools.ts";
import { McpConnection } from "./mcp-connection.ts";
import type { McpServer } from "./mcp-connection.ts";
import { nameTools } from "./name-tools.ts";
import { plainResultTools } from "./plain-result-tools.ts";

export interface McpToolsOptions {
  readonly servers: Readonly<Record<string, McpServer>>;
  /** Called when a server goes down, once until it is back, and for each tool call that did not get through. */
  readonly onError: (serverName: string, error: unknown) => void;
  /** How long a run waits for a server, in milliseconds. Default: 5,000. */
  readonly connectTimeoutMs?: number;
  readonly clock?: Clock;
}

/** A pool of connections to MCP servers. All runs share the connections and the lists of tools. */
export interface McpTools {
  /**
   * The tools of the servers that are up, and the names of those that are down. Only the first run waits for a server
   * that is down; later runs go on without it at once, until a probe in the background reaches it.
   */
  readonly open: (signal: AbortSignal) => Promise<OpenTools>;
  /** The names of all tools that the servers have listed by now. */
  readonly names: () => readonly string[];
  /** Closes the connections. Resolves within two seconds. */
  readonly close: () => Promise<void>;
}

/**
 * Makes a pool that connects to its MCP servers when a run first needs them.
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
  // Servers that are down are named too, so that a tool keeps its name while another server is away.
  const nameAll = (report: (server: string, error: unknown) => void) =>
    nameTools(
      connections.map((connection) => ({
        server: connection.name,
        tools: plainResultTools(connection, (error) => report(connection.name, error)),
      })),
    );
  return {
    names: () => nameAll(onError).map(({ name }) => name),
    async open(signal) {
      const isAvailable = await Promise.all(connections.map((connection) => connection.isAvailable(signal)));
      const available = new Set(connections.filter((_, index) => isAvailable[index]).map(({ name }) => name));
      const named = nameAll((server, error) => {
        if (!signal.aborted) onError(server, error);
      });
      const present = named.filter(({ server }) => available.has(server));
      return {
        // `server` is for the project's `approve`.
        tools: Object.fromEntries(
          present.map(({ name, tool, server }) => [name, { ...tool, metadata: { ...tool.metadata, server } }]),
        ),
        missing: connections.map(({ name }) => name).filter((name) => !available.has(name)),
      };
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
