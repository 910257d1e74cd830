import { createMCPClient } from "@ai-sdk/mcp";
import type { MCPClient } from "@ai-sdk/mcp";
import type { ToolSet } from "ai";
import type { Clock } from "../clock.ts";
import { callableTools } from "./callable-tools.ts";
import { McpCalls } from "./mcp-calls.ts";
import type { CallOptions, McpCall } from "./mcp-calls.ts";
import { raceAbort } from "../race-abort.ts";
import type { VisitorTokens } from "../visitor-token.ts";

/** An MCP server with the Streamable HTTP transport. */
export interface McpServer {
  /** The transport: streamable HTTP. */
  readonly type: "http";
  readonly url: string;
  /** Headers for each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the header `X-Nitka-Visitor` tells the server which visitor each tool call serves. */
  readonly identify?: boolean;
  /**
   * The key that signs the token of `identify`, at least 16 characters. Default: the project's secret. With that secret
   * the server could also sign a host's token, and so read the conversations of every visitor whom the host identifies.
   */
  readonly secret?: string;
}

export interface McpConnectionOptions {
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  /** Called when the server goes down, once until it is back. */
  readonly onDown: (error: unknown) => void;
  /** Called when the server has listed its tools. */
  readonly onListed: () => void;
  /** The tokens for a server that is told the visitors. */
  readonly visitorTokens?: VisitorTokens | undefined;
}

/** Milliseconds that a list of tools stays fresh, unless the server announces a change earlier. */
const LIST_TTL_MS = 300_000;

/**
 * Exponential backoff of the probes for a server that is down: the wait doubles after each probe, up to the maximum.
 */
const FIRST_PROBE_MS = 1_000;
const MAX_PROBE_MS = 30_000;

/** The timeout of the request that ends a session. */
const CLOSE_TIMEOUT_MS = 2_000;

/** One session with the server. It is closed when it is retired and its last call has ended. */
interface Session {
  readonly client: MCPClient;
  tools: ToolSet;
  /** The number of tool calls that were sent over it and have no response yet. */
  calls: number;
  isRetired: boolean;
}

/**
 * The connection to one MCP server, shared by all runs, with its list of tools and a circuit breaker: while the server
 * is down, runs do not wait for it, and probes in the background check whether it is back.
 */
export class McpConnection {
  readonly name: string;
  readonly #server: McpServer;
  readonly #options: McpConnectionOptions;
  readonly #calls: McpCalls;
  /** Every session that is not closed: the current one, and retired ones with calls in progress. */
  readonly #open = new Set<Session>();
  #session: Session | undefined;
  #tools: ToolSet = {};
  #listedAt: number | undefined;
  #isStale = false;
  /** The refresh in progress, shared by all callers that wait for one. */
  #refreshing: Promise<boolean> | undefined;
  #isDown = false;
  #stopProbe: (() => void) | undefined;
  #isClosed = false;

  constructor(server: McpServer, options: McpConnectionOptions, name: string) {
    this.name = name;
    this.#server = server;
    this.#options = options;
    const { clock, visitorTokens } = options;
    this.#calls = new McpCalls({ serverName: name, clock, visitorTokens });
  }

  /** The tools of the last list. */
  get tools(): ToolSet {
    return this.#tools;
  }

  /** Whether the server can be used. If that is not known, connects or lists the tools first. */
  async isAvailable(signal: AbortSignal): Promise<boolean> {
    if (this.#isDown || this.#isClosed) return false;
    if (this.#session && !this.#isStale) {
      if (this.#options.clock.now() - (this.#listedAt ?? 0) > LIST_TTL_MS) void this.#refresh();
      return true;
    }
    return Promise.race([this.#refresh(), whenAborted(signal)]);
  }

  /** Whether the server has listed its tools. */
  get hasListed(): boolean {
    return this.#listedAt !== undefined;
  }

  /** Resolves when the server has listed its tools once, or is known to be down. */
  async whenListed(): Promise<void> {
    if (!this.#isDown && this.#listedAt === undefined) await this.#refresh();
  }

  /**
   * Calls a tool. A call is repeated, over a new session, only when HTTP reported that the server did not know the
   * session: after any other failure the tool may have run.
   */
  async callTool(toolName: string, input: unknown, options: CallOptions): Promise<unknown> {
    const call = this.#calls.create(options);
    const session = await this.#currentSession();
    try {
      return await this.#execute(session, call, toolName, input);
    } catch (error) {
      if (!call.isUnknownSession) {
        // The request did not reach the server: the next run checks the connection.
        if (!isServerError(error)) this.#isStale = true;
        throw error;
      }
      this.#retire(session);
      const next = await this.#currentSession().catch(() => undefined);
      if (!next) throw error;
      return this.#execute(next, this.#calls.create(options), toolName, input);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopProbe?.();
    this.#session = undefined;
    await Promise.all([...this.#open].map(({ client }) => client.close().catch(() => undefined)));
    this.#open.clear();
  }

  async #currentSession(): Promise<Session> {
    if (!this.#session) await this.#refresh();
    if (!this.#session) throw new Error(`The MCP server ${this.name} does not respond`);
    return this.#session;
  }

  async #execute(session: Session, call: McpCall, toolName: string, input: unknown): Promise<unknown> {
    const execute = session.tools[toolName]?.execute;
    if (!execute) throw new Error(`The MCP server ${this.name} no longer has the tool ${toolName}`);
    session.calls += 1;
    try {
      return await this.#calls.run(call, async () => execute(input as never, call.tool?.options as never) as unknown);
    } finally {
      session.calls -= 1;
      this.#closeUnused(session);
    }
  }

  #refresh(): Promise<boolean> {
    this.#refreshing ??= this.#connectAndList().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Resolves to whether the server can be used. It never rejects. */
  async #connectAndList(): Promise<boolean> {
    const timeout = AbortSignal.timeout(this.#options.connectTimeoutMs);
    try {
      this.#isStale = false;
      const session = await this.#list(timeout);
      this.#tools = session.tools;
      this.#listedAt = this.#options.clock.now();
      this.#isDown = false;
      this.#options.onListed();
      if (this.#isClosed) this.#retire(session);
      return !this.#isClosed;
    } catch (error) {
      if (this.#session) this.#retire(this.#session);
      if (this.#isClosed) return false;
      if (!this.#isDown) {
        this.#isDown = true;
        this.#options.onDown(error);
        this.#probeAfter(FIRST_PROBE_MS);
      }
      return false;
    }
  }

  /** Lists the tools over the open session, or over a new one when that fails. */
  async #list(timeout: AbortSignal): Promise<Session> {
    if (this.#session) {
      try {
        return await this.#listOver(this.#session, timeout);
      } catch (error) {
        if (timeout.aborted) throw error;
        this.#retire(this.#session);
      }
    }
    const client = await this.#connect(timeout);
    const session: Session = { client, tools: {}, calls: 0, isRetired: false };
    this.#open.add(session);
    this.#session = session;
    return this.#listOver(session, timeout);
  }

  async #listOver(session: Session, timeout: AbortSignal): Promise<Session> {
    const tools = this.#calls.run(this.#calls.create(), () => callableTools(session.client, timeout));
    session.tools = await raceAbort(tools, timeout);
    return session;
  }

  #connect(signal: AbortSignal): Promise<MCPClient> {
    const { url, headers } = this.#server;
    const create = () =>
      createMCPClient({
        transport: {
          type: "http",
          url,
          ...(headers ? { headers: { ...headers } } : {}),
          fetch: (input, init) => this.#fetch(input, init),
        },
        clientName: "nitka",
        initializationOptions: { signal },
        // The client does not support notifications and reports each of them here, including progress and log lines:
        // `McpCalls` handles those that matter. Any other error may mean the end of the stream that would have
        // delivered them.
        onUncaughtError: (error) => {
          if (!/unsupported message type/i.test(String(error))) this.#isStale = true;
        },
      });
    return this.#calls.run(this.#calls.create(), create);
  }

  #fetch(input: string | URL | Request, init: RequestInit | undefined): Promise<Response> {
    // The SDK's transport has no timeout for the request that ends a session.
    const closing = init?.method === "DELETE" ? { signal: AbortSignal.timeout(CLOSE_TIMEOUT_MS) } : {};
    return this.#calls.fetch(input, { ...init, ...closing }, () => {
      this.#isStale = true;
    });
  }

  /** Retires a session. Calls that were sent over it still get their responses. */
  #retire(session: Session): void {
    session.isRetired = true;
    if (this.#session === session) this.#session = undefined;
    this.#closeUnused(session);
  }

  /** Closes a session without waiting, since closing may hang. */
  #closeUnused(session: Session): void {
    if (!session.isRetired || session.calls > 0 || !this.#open.delete(session)) return;
    session.client.close().catch(() => undefined);
  }

  #probeAfter(ms: number): void {
    this.#stopProbe = this.#options.clock.after(ms, () => {
      void this.#refresh().then((isBack) => {
        if (!isBack && !this.#isClosed) this.#probeAfter(Math.min(2 * ms, MAX_PROBE_MS));
      });
    });
  }
}

/** Whether the error is a JSON-RPC response of the server, which means that the connection works. */
function isServerError(error: unknown): boolean {
  return typeof (error as { readonly code?: unknown } | null)?.code === "number";
}

export function whenAborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener("abort", () => resolve(false), { once: true });
  });
}
