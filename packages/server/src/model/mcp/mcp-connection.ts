import { createMCPClient } from "@ai-sdk/mcp";
import type { MCPClient } from "@ai-sdk/mcp";
import type { ToolSet } from "ai";
import type { Clock } from "../clock.ts";

/** An MCP server that is reached by Streamable HTTP. */
export interface McpServer {
  readonly type: "http";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface McpConnectionOptions {
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  /** Called when the server is found to be down: once until it is back. */
  readonly onDown: (error: unknown) => void;
}

/** After so long a list of tools is asked for again. The server may say earlier that it has changed. */
const LIST_MS = 300_000;

/** A server that is down is tried again after this, then after twice as long, and so on up to the longest. */
const FIRST_PROBE_MS = 1_000;
const LONGEST_PROBE_MS = 30_000;

/** For how long a server may take to hear that a connection ends. */
const CLOSE_MS = 2_000;

/** The server knows nothing of the session: it was restarted. */
const UNKNOWN_SESSION_CODE = -32_001;

/** One MCP server: a connection for all runs, its list of tools, and a circuit breaker. */
export class McpConnection {
  readonly name: string;
  readonly #server: McpServer;
  readonly #options: McpConnectionOptions;
  #client: MCPClient | undefined;
  #tools: ToolSet = {};
  #listedAt = 0;
  #isStale = false;
  /** A connection that is being made, or a list that is being read: whoever needs it waits for the same one. */
  #refreshing: Promise<boolean> | undefined;
  #isDown = false;
  #stopProbe: (() => void) | undefined;
  #isClosed = false;

  constructor(server: McpServer, options: McpConnectionOptions, name: string) {
    this.name = name;
    this.#server = server;
    this.#options = options;
  }

  /** The tools as they were last listed. */
  get tools(): ToolSet {
    return this.#tools;
  }

  /** Whether the server answers. Waits for it only where that is not known yet. */
  async isThere(signal: AbortSignal): Promise<boolean> {
    if (this.#isDown || this.#isClosed) return false;
    if (this.#client && !this.#isStale) {
      if (this.#options.clock.now() - this.#listedAt > LIST_MS) void this.#refresh();
      return true;
    }
    return Promise.race([this.#refresh(), whenAborted(signal)]);
  }

  /** Calls a tool. A server that was restarted meanwhile is connected to anew. */
  async call(toolName: string, input: unknown, options: unknown): Promise<unknown> {
    try {
      return await this.#execute(toolName, input, options);
    } catch (error) {
      if (!isUnknownSession(error)) {
        // The next run looks whether the server is still there.
        if (!isOwnError(error)) this.#isStale = true;
        throw error;
      }
      this.#drop();
      if (!(await this.#refresh())) throw error;
      return this.#execute(toolName, input, options);
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

  /** Never rejects: a server that does not answer is down. */
  async #connectAndList(): Promise<boolean> {
    const patience = AbortSignal.timeout(this.#options.connectTimeoutMs);
    try {
      this.#isStale = false;
      this.#tools = await this.#list(patience);
      this.#listedAt = this.#options.clock.now();
      this.#isDown = false;
      if (this.#isClosed) this.#drop();
      return !this.#isClosed;
    } catch (error) {
      this.#drop();
      if (this.#isClosed) return false;
      if (!this.#isDown) {
        this.#isDown = true;
        this.#options.onDown(error);
        this.#probeAfter(FIRST_PROBE_MS);
      }
      return false;
    }
  }

  /** Over the connection that there is, or over a new one where that does not get through. */
  async #list(patience: AbortSignal): Promise<ToolSet> {
    if (this.#client) {
      try {
        return await Promise.race([this.#client.tools(), rejectWhenAborted(patience)]);
      } catch (error) {
        if (patience.aborted) throw error;
        this.#drop();
      }
    }
    this.#client = await this.#connect(patience);
    return Promise.race([this.#client.tools(), rejectWhenAborted(patience)]);
  }

  #connect(signal: AbortSignal): Promise<MCPClient> {
    const { url, headers } = this.#server;
    return createMCPClient({
      transport: { type: "http", url, ...(headers ? { headers: { ...headers } } : {}), fetch: fetchWithin },
      clientName: "nitka",
      initializationOptions: { signal },
      // The server has said something unasked, such as that its tools have changed: the next run lists them again.
      onUncaughtError: () => {
        this.#isStale = true;
      },
    });
  }

  /** Nobody waits for the old connection: it may be the very thing that hangs. */
  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.close().catch(() => undefined);
  }

  #probeAfter(ms: number): void {
    this.#stopProbe = this.#options.clock.after(ms, () => {
      void this.#refresh().then((isThere) => {
        if (!isThere && !this.#isClosed) this.#probeAfter(Math.min(2 * ms, LONGEST_PROBE_MS));
      });
    });
  }
}

/** Ending a session has a time limit, which the SDK's transport does not give it. */
const fetchWithin: typeof fetch = (input, init) =>
  fetch(input, init?.method === "DELETE" ? { ...init, signal: AbortSignal.timeout(CLOSE_MS) } : init);

/** The server's own answer to the call: it is there. */
function isOwnError(error: unknown): boolean {
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
