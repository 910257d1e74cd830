import type { Clock } from "../clock.ts";
import { systemClock } from "../clock.ts";
import type { OpenTools, ToolRun } from "../open-tools.ts";
import type { VisitorIdentity } from "../visitor-identity.ts";
import { McpConnection } from "./mcp-connection.ts";
import type { McpServer } from "./mcp-connection.ts";
import { nameTools } from "./name-tools.ts";
import { plainResultTools } from "./plain-result-tools.ts";
import { createVisitorTokens } from "./visitor-token.ts";
import type { VisitorTokens } from "./visitor-token.ts";

export interface McpToolsOptions {
  readonly servers: Readonly<Record<string, McpServer>>;
  /** Called when a server goes down, once until it is back, and for each tool call that did not get through. */
  readonly onError: (serverName: string, error: unknown) => void;
  /** How long a run waits for a server, in milliseconds. Default: 5,000. */
  readonly connectTimeoutMs?: number;
  /** Signs the visitors' tokens for servers with `identify` and without a secret of their own: the project's secret. */
  readonly secret?: string;
  readonly clock?: Clock;
  /** The time for the visitors' tokens. */
  readonly now?: () => Date;
}

/** A pool of connections to MCP servers. All runs share the connections and the lists of tools. */
export interface McpTools {
  /**
   * The tools of the servers that are up, and the names of those that are down. Only the first run waits for a server
   * that is down; later runs go on without it at once, until a probe in the background reaches it (`McpConnection`).
   */
  readonly open: (signal: AbortSignal, run?: Pick<ToolRun, "asker">) => Promise<OpenTools>;
  /** The names of all tools. Lists those of servers that were not asked yet; of a server that is down they are unknown. */
  readonly names: () => Promise<readonly string[]>;
  /** Closes the connections. Resolves within two seconds. */
  readonly close: () => Promise<void>;
}

/**
 * Makes a pool that connects to its MCP servers when a run first needs them.
 *
 * @throws TypeError when a server is to be told who asks, and there is no secret to sign that with
 *
 * @example
 * const tools = createMcpTools({ servers: { shop: { type: "http", url } }, onError: console.error });
 * createOpenAiCompatibleModel({ model: "gpt-5-mini", baseUrl, openTools: tools.open });
 */
export function createMcpTools(options: McpToolsOptions): McpTools {
  const { servers, onError, connectTimeoutMs = 5_000, clock = systemClock } = options;
  const connections = Object.entries(servers).map(([name, server]) => {
    const visitorTokens = server.identify ? visitorTokensFor(name, server, options) : undefined;
    const onDown = (error: unknown) => onError(name, error);
    return new McpConnection(server, { connectTimeoutMs, clock, onDown, visitorTokens }, name);
  });
  // Servers that are down are named too, so that a tool keeps its name while another server is away.
  const nameAll = (report: (server: string, error: unknown) => void, visitor?: VisitorIdentity) =>
    nameTools(
      connections.map((connection) => ({
        server: connection.name,
        tools: plainResultTools(connection, { visitor, report: (error) => report(connection.name, error) }),
      })),
    );
  return {
    async names() {
      await Promise.all(connections.map((connection) => connection.whenListed()));
      return nameAll(onError).map(({ name }) => name);
    },
    async open(signal, { asker } = {}) {
      const isAvailable = await Promise.all(connections.map((connection) => connection.isAvailable(signal)));
      const available = new Set(connections.filter((_, index) => isAvailable[index]).map(({ name }) => name));
      const report = (server: string, error: unknown) => {
        if (!signal.aborted) onError(server, error);
      };
      const named = nameAll(report, asker);
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

function visitorTokensFor(name: string, server: McpServer, options: McpToolsOptions): VisitorTokens {
  const { now = () => new Date() } = options;
  const secret = server.secret ?? options.secret;
  if (secret !== undefined) return createVisitorTokens({ server: name, secret, now });
  throw new TypeError(`servers.${name}.identify is true: give the secret that signs the visitors' tokens.`);
}
