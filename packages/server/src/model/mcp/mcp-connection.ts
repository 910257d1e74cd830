import { createMCPClient } from "@ai-sdk/mcp";
import type { MCPClient } from "@ai-sdk/mcp";
import type { ToolSet } from "ai";
import type { Clock } from "../clock.ts";
import type { VisitorIdentity } from "../visitor-identity.ts";
import type { VisitorHeader } from "./visitor-header.ts";

/** An MCP server with the Streamable HTTP transport. */
export interface McpServer {
  /** The transport: streamable HTTP. */
  readonly type: "http";
  readonly url: string;
  /** Sent with each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the server is told whom each tool call serves, in the header `X-Nitka-Visitor`. */
  readonly identify?: boolean;
}

export interface McpConnectionOptions {
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  /** Called when the server goes down, once until it is back. */
  readonly onDown: (error: unknown) => void;
  /** For a server that is to know the visitors. */
  readonly visitorHeader?: VisitorHeader | undefined;
}

/** How long a list of tools stays fresh. A server may announce a change earlier. */
const LIST_TTL_MS = 300_000;

/** Exponential backoff of the probes that look whether a server is back: doubled after each one, up to the maximum. */
const FIRST_PROBE_MS = 1_000;
const MAX_PROBE_MS = 30_000;

/** The timeout of the request that ends a session. */
const CLOSE_TIMEOUT_MS = 2_000;

/** The error code of a server that does not know the session, for example after a restart. */
const UNKNOWN_SESSION_CODE = -32_001;

/**
 * The connection to one MCP server, shared by all runs, with its list of tools and a circuit breaker: while the server is
 * down, runs do not wait for it, and probes in the background look whether it is back.
 */
export class McpConnection {
  readonly name: string;
  readonly #server: McpServer;
  readonly #options: McpConnectionOptions;
  #client: MCPClient | undefined;
  #tools: ToolSet = {};
  #listedAt = 0;
  #isStale = false;
  /** The refresh in progress, shared by everything that waits for one. */
  #refreshing: Promise<boolean> | undefined;
  #isDown = false;
  #stopProbe: (() => void) | undefined;
  #isClosed = false;

  constructor(server: McpServer, options: McpConnectionOptions, name: string) {
    this.name = name;
    this.#server = server;
    this.#options = options;
  }

  /** The tools of the last list. */
  get tools(): ToolSet {
    return this.#tools;
  }

  /** Whether the server can be used. Connects or lists the tools first when that is not known. */
  async isAvailable(signal: AbortSignal): Promise<boolean> {
    if (this.#isDown || this.#isClosed) return false;
    if (this.#client && !this.#isStale) {
      if (this.#options.clock.now() - this.#listedAt > LIST_TTL_MS) void this.#refresh();
      return true;
    }
    return Promise.race([this.#refresh(), whenAborted(signal)]);
  }

  /** Calls a tool. Connects again and retries once when the server no longer knows the session. */
  async callTool(
    toolName: string,
    input: unknown,
    { visitor, options }: { readonly visitor: VisitorIdentity | undefined; readonly options: unknown },
  ): Promise<unknown> {
    const { visitorHeader } = this.#options;
    const call = () => this.#execute(toolName, input, options);
    const execute = visitorHeader ? () => visitorHeader.serve(visitor, call) : call;
    try {
      return await execute();
    } catch (error) {
      if (!isUnknownSession(error)) {
        // The request did not get through: the next run checks the connection.
        if (!isServerError(error)) this.#isStale = true;
        throw error;
      }
      this.#disconnect();
      // Outside of `serve`: the new connection is for all visitors.
      if (!(await this.#refresh())) throw error;
      return execute();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopProbe?.();
    const client = this.#client;
    this.#client = undefined;
    await client?.close().catch(() => undefined);
  }

  async #execute(toolName: string, input: unknown, options: unknown): Promise<unknown> {
    const execute = this.#tools[toolName]?.execute;
    if (!execute) throw new Error(`The MCP server ${this.name} no longer has the tool ${toolName}`);
    return execute(input as never, options as never) as unknown;
  }

  #refresh(): Promise<boolean> {
    this.#refreshing ??= this.#connectAndList().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Resolves with whether the server can be used. It never rejects. */
  async #connectAndList(): Promise<boolean> {
    const timeout = AbortSignal.timeout(this.#options.connectTimeoutMs);
    try {
      this.#isStale = false;
      this.#tools = await this.#list(timeout);
      this.#listedAt = this.#options.clock.now();
      this.#isDown = false;
      if (this.#isClosed) this.#disconnect();
      return !this.#isClosed;
    } catch (error) {
      this.#disconnect();
      if (this.#isClosed) return false;
      if (!this.#isDown) {
        this.#isDown = true;
        this.#options.onDown(error);
        this.#probeAfter(FIRST_PROBE_MS);
      }
      return false;
    }
  }

  /** Lists the tools over the open connection, or over a new one when that fails. */
  async #list(timeout: AbortSignal): Promise<ToolSet> {
    if (this.#client) {
      try {
        return await Promise.race([this.#client.tools(), rejectWhenAborted(timeout)]);
      } catch (error) {
        if (timeout.aborted) throw error;
        this.#disconnect();
      }
    }
    this.#client = await this.#connect(timeout);
    return Promise.race([this.#client.tools(), rejectWhenAborted(timeout)]);
  }

  #connect(signal: AbortSignal): Promise<MCPClient> {
    const { url, headers } = this.#server;
    return createMCPClient({
      transport: {
        type: "http",
        url,
        ...(headers ? { headers: { ...headers } } : {}),
        fetch: this.#options.visitorHeader?.fetch ?? fetchWithCloseTimeout,
      },
      clientName: "nitka",
      initializationOptions: { signal },
      // The client reports notifications here, such as a changed list of tools: the next run lists them again.
      onUncaughtError: () => {
        this.#isStale = true;
      },
    });
  }

  /** Closes the connection without waiting, since it may hang. */
  #disconnect(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.close().catch(() => undefined);
  }

  #probeAfter(ms: number): void {
    this.#stopProbe = this.#options.clock.after(ms, () => {
      void this.#refresh().then((isBack) => {
        if (!isBack && !this.#isClosed) this.#probeAfter(Math.min(2 * ms, MAX_PROBE_MS));
      });
    });
  }
}

/** Adds a timeout to the request that ends a session. The SDK's transport has none. */
export const fetchWithCloseTimeout: typeof fetch = (input, init) =>
  fetch(input, init?.method === "DELETE" ? { ...init, signal: AbortSignal.timeout(CLOSE_TIMEOUT_MS) } : init);

/** Whether the error is a JSON-RPC response of the server: the connection works. */
function isServerError(error: unknown): boolean {
  return typeof (error as { readonly code?: unknown } | null)?.code === "number";
}

function isUnknownSession(error: unknown): boolean {
  const { statusCode, code } = (error ?? {}) as { readonly statusCode?: unknown; readonly code?: unknown };
  return statusCode === 404 || code === UNKNOWN_SESSION_CODE;
}

function whenAborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener("abort", () => resolve(false), { once: true });
  });
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
