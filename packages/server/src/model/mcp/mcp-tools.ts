import type { Clock } from "../clock.ts";
import { systemClock } from "../clock.ts";
import { declareTools } from "../declare-tools.ts";
import type { OpenTools, ToolRun } from "../open-tools.ts";
import { toolsChars } from "../prompt/prompt-chars.ts";
import { McpConnection, whenAborted } from "./mcp-connection.ts";
import type { McpServer } from "./mcp-connection.ts";
import { coincidingTools, nameTools } from "./name-tools.ts";
import { plainResultTools } from "./plain-result-tools.ts";
import { createVisitorTokens } from "../visitor-token.ts";
import type { VisitorIdentity, VisitorTokens } from "../visitor-token.ts";

export interface McpToolsOptions {
  readonly servers: Readonly<Record<string, McpServer>>;
  /** Called when a server goes down (once until it is back), and for each tool call that did not reach its server. */
  readonly onError: (serverName: string, error: unknown) => void;
  /** Called when a server has answered for the first time, with its tools' own names. */
  readonly onListed?: (serverName: string, toolNames: readonly string[]) => void;
  /** How long a run waits for a server, in milliseconds. Default: 5,000. */
  readonly connectTimeoutMs?: number;
  /** Signs the visitors' tokens for servers that have `identify` and no secret of their own: the project's secret. */
  readonly secret?: string;
  readonly clock?: Clock;
  /** The clock for the visitors' tokens. */
  readonly now?: () => Date;
}

/** A pool of connections to MCP servers. All runs share the connections and the lists of tools. */
export interface McpTools {
  /**
   * Opens the tools of the servers that are up, and names the servers that are down. Only the first run waits for a
   * server that is down. Later runs continue without it at once, until a probe in the background reaches it
   * (`McpConnection`).
   */
  readonly open: (signal: AbortSignal, run?: Pick<ToolRun, "asker">) => Promise<OpenTools>;
  /**
   * The servers with their tools' own names; `undefined` for a server that is down. Asks the servers that were not
   * asked yet.
   *
   * @param patience ends the wait for servers that have not answered. They are still asked, and `onListed` is called
   * later.
   * @throws TypeError when the model would know two tools by one name
   */
  readonly list: (patience?: AbortSignal) => Promise<Readonly<Record<string, readonly string[] | undefined>>>;
  /**
   * The names of all tools. Lists the tools of servers that were not asked yet. The tools of a server that is down are
   * unknown.
   */
  readonly names: () => Promise<readonly string[]>;
  /** The number of characters that each request needs to declare the currently listed tools. */
  readonly declaredChars: () => Promise<number>;
  /**
   * Closes the connections when the runs that have opened these tools have ended. After this call no run may open them.
   */
  readonly retire: () => void;
  /** Closes the connections. Resolves within two seconds. */
  readonly close: () => Promise<void>;
}

/**
 * Makes a pool that connects to its MCP servers when a run first needs them.
 *
 * @throws TypeError when a server's name cannot be a prefix of tool names, or when a server has `identify` and there is
 * no secret to sign with
 *
 * @example
 * const tools = createMcpTools({ servers: { shop: { type: "http", url } }, onError: console.error });
 * createOpenAiCompatibleModel({ model: "gpt-5-mini", baseUrl, openTools: tools.open });
 */
export function createMcpTools(options: McpToolsOptions): McpTools {
  const { servers, onError, connectTimeoutMs = 5_000, clock = systemClock } = options;
  const bad = Object.keys(servers).find((name) => !/^[A-Za-z0-9_-]{1,32}$/.test(name));
  if (bad !== undefined) {
    throw new TypeError(`servers has ${JSON.stringify(bad)}: name it with at most 32 letters, digits, _ and -.`);
  }
  const waiting = new Set(Object.keys(servers));
  const connections: readonly McpConnection[] = Object.entries(servers).map(([name, server]) => {
    const visitorTokens = server.identify ? visitorTokensFor(name, server, options) : undefined;
    const onDown = (error: unknown) => onError(name, error);
    const onListed = () => {
      const coinciding = coincidingOf(name);
      if (coinciding) onError(name, coinciding);
      if (waiting.delete(name)) options.onListed?.(name, toolNamesOf(name));
    };
    return new McpConnection(server, { connectTimeoutMs, clock, onDown, onListed, visitorTokens }, name);
  });
  // Servers that are down are included, so that a tool keeps its name while another server is unavailable.
  const nameAll = (report: (server: string, error: unknown) => void, visitor?: VisitorIdentity) =>
    nameTools(
      connections.map((connection) => ({
        server: connection.name,
        tools: plainResultTools(connection, { visitor, report: (error) => report(connection.name, error) }),
      })),
    );
  const toolNamesOf = (server: string) =>
    connections.filter(({ name }) => name === server).flatMap(({ tools }) => Object.keys(tools));
  /** The error when the tools of this server, or of any server, cannot all be offered. */
  const coincidingOf = (ofServer?: string): TypeError | undefined => {
    const found = coincidingTools(nameAll(onError)).find(({ server }) => (ofServer ?? server) === server);
    return (
      found &&
      new TypeError(
        `The tool ${found.toolName} of the MCP server ${found.server} would have the name of another tool, ${found.name}: rename one of the two servers.`,
      )
    );
  };
  let openRuns = 0;
  let isRetired = false;
  const close = async () => void (await Promise.all(connections.map((connection) => connection.close())));
  const closeUnused = () => {
    if (isRetired && openRuns === 0) close().catch(() => undefined);
  };
  const runEnded = () => {
    openRuns -= 1;
    closeUnused();
  };
  const listAll = async (patience?: AbortSignal) => {
    const listed = Promise.all(connections.map((connection) => connection.whenListed()));
    await (patience ? Promise.race([listed, whenAborted(patience)]) : listed);
  };
  return {
    async list(patience) {
      await listAll(patience);
      const coinciding = coincidingOf();
      if (coinciding) throw coinciding;
      return Object.fromEntries(
        connections.map(({ name, hasListed, tools }) => [name, hasListed ? Object.keys(tools) : undefined]),
      );
    },
    async names() {
      await listAll();
      return nameAll(onError).map(({ name }) => name);
    },
    async declaredChars() {
      const tools = nameAll(onError).map(({ name, tool }) => [name, tool] as const);
      return toolsChars(await declareTools(Object.fromEntries(tools)));
    },
    async open(signal, { asker } = {}) {
      const isAvailable = await Promise.all(connections.map((connection) => connection.isAvailable(signal)));
      const available = new Set(connections.filter((_, index) => isAvailable[index]).map(({ name }) => name));
      const report = (server: string, error: unknown) => {
        if (!signal.aborted) onError(server, error);
      };
      const named = nameAll(report, asker);
      const coinciding = new Set(coincidingTools(named));
      const present = named.filter((each) => available.has(each.server) && !coinciding.has(each));
      openRuns += 1;
      return {
        // `server` is for the project's `approve` and `toolViews`.
        tools: Object.fromEntries(
          present.map(({ name, tool, server }) => [name, { ...tool, metadata: { ...tool.metadata, server } }]),
        ),
        missing: connections.map(({ name }) => name).filter((name) => !available.has(name)),
        close: async () => runEnded(),
      };
    },
    retire() {
      isRetired = true;
      closeUnused();
    },
    close,
  };
}

function visitorTokensFor(name: string, server: McpServer, options: McpToolsOptions): VisitorTokens {
  const secret = server.secret ?? options.secret;
  if (secret !== undefined)
    return createVisitorTokens({ server: name, secret, ...(options.now && { now: options.now }) });
  throw new TypeError(`servers.${name}.identify is true: give the secret that signs the visitors' tokens.`);
}
