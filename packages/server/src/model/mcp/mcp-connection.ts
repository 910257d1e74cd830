import { AsyncLocalStorage } from "node:async_hooks";
import { createMCPClient } from "@ai-sdk/mcp";
import type { MCPClient } from "@ai-sdk/mcp";
import type { ToolExecutionOptions, ToolSet } from "ai";
import type { Clock } from "../clock.ts";
import type { VisitorIdentity } from "../visitor-identity.ts";
import { callableTools } from "./callable-tools.ts";
import { VISITOR_HEADER } from "./visitor-token.ts";
import type { VisitorTokens } from "./visitor-token.ts";
import { progressToken, watchEventStream } from "./watch-event-stream.ts";

/** An MCP server with the Streamable HTTP transport. */
export interface McpServer {
  /** The transport: streamable HTTP. */
  readonly type: "http";
  readonly url: string;
  /** Sent with each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the server is told whom each tool call serves, in the header `X-Nitka-Visitor`. */
  readonly identify?: boolean;
  /**
   * Signs what `identify` sends, at least 16 characters. Default: the project's secret, with which the server could also
   * sign a host's token and so read every named visitor's conversations.
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
  /** For a server that is to know the visitors. */
  readonly visitorTokens?: VisitorTokens | undefined;
}

/** How long a list of tools stays fresh. A server may announce a change earlier. */
const LIST_TTL_MS = 300_000;

/** Exponential backoff of the probes that look whether a server is back: doubled after each one, up to the maximum. */
const FIRST_PROBE_MS = 1_000;
const MAX_PROBE_MS = 30_000;

/** The timeout of the request that ends a session. */
const CLOSE_TIMEOUT_MS = 2_000;

/** How long after the end of its event stream a call's response may still be on its way through the client. */
const END_SLACK_MS = 1_000;

/** One session with the server. It is closed when it is out of use and its last call is over. */
interface Session {
  readonly client: MCPClient;
  tools: ToolSet;
  /** Tool calls that were sent over it and have no response yet. */
  calls: number;
  isRetired: boolean;
}

/** What a tool call is made for. */
export interface CallOptions {
  readonly visitor: VisitorIdentity | undefined;
  readonly options: ToolExecutionOptions<unknown>;
  /** Called when the server says that it works on the call. */
  readonly onProgress: () => void;
}

/** A tool call. It is kept in the asynchronous context of the call, from which the transport sends the request. */
interface Call extends CallOptions {
  readonly progressToken: string;
  /** Rejects when the stream that was to bring the response has ended without it, which the client does not notice. */
  readonly broken: PromiseWithResolvers<never>;
  /** The server did not know the session (HTTP 404), so it did not carry the call out (MCP, "Session Management"). */
  isUnknownSession: boolean;
}

/**
 * The connection to one MCP server, shared by all runs, with its list of tools and a circuit breaker: while the server is
 * down, runs do not wait for it, and probes in the background look whether it is back.
 */
export class McpConnection {
  readonly name: string;
  readonly #server: McpServer;
  readonly #options: McpConnectionOptions;
  readonly #calls = new AsyncLocalStorage<Call>();
  /** The calls without a result, by their progress tokens. */
  readonly #inProgress = new Map<string, Call>();
  #callCount = 0;
  /** Every session that is not closed: the current one, and those whose last calls are not over. */
  readonly #open = new Set<Session>();
  #session: Session | undefined;
  #tools: ToolSet = {};
  #listedAt: number | undefined;
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
   * Calls a tool. A call is repeated, over a new session, only when HTTP said that the server did not know the session: any
   * other failure leaves open whether the tool has run.
   */
  async callTool(toolName: string, input: unknown, options: CallOptions): Promise<unknown> {
    const call = this.#newCall(options);
    const session = await this.#currentSession();
    try {
      return await this.#execute(session, call, toolName, input);
    } catch (error) {
      if (!call.isUnknownSession) {
        // The request did not get through: the next run checks the connection.
        if (!isServerError(error)) this.#isStale = true;
        throw error;
      }
      this.#retire(session);
      const next = await this.#currentSession().catch(() => undefined);
      if (!next) throw error;
      return this.#execute(next, this.#newCall(options), toolName, input);
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

  #newCall(options: CallOptions): Call {
    this.#callCount += 1;
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => undefined);
    return { ...options, progressToken: progressToken(this.#callCount), broken, isUnknownSession: false };
  }

  async #execute(session: Session, call: Call, toolName: string, input: unknown): Promise<unknown> {
    const execute = session.tools[toolName]?.execute;
    if (!execute) throw new Error(`The MCP server ${this.name} no longer has the tool ${toolName}`);
    session.calls += 1;
    this.#inProgress.set(call.progressToken, call);
    try {
      const result = this.#calls.run(call, async () => execute(input as never, call.options as never) as unknown);
      return await Promise.race([result, call.broken.promise]);
    } finally {
      session.calls -= 1;
      this.#inProgress.delete(call.progressToken);
      this.#closeUnused(session);
    }
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
        return await listed(this.#session, timeout);
      } catch (error) {
        if (timeout.aborted) throw error;
        this.#retire(this.#session);
      }
    }
    const client = await this.#connect(timeout);
    const session: Session = { client, tools: {}, calls: 0, isRetired: false };
    this.#open.add(session);
    this.#session = session;
    return listed(session, timeout);
  }

  #connect(signal: AbortSignal): Promise<MCPClient> {
    const { url, headers } = this.#server;
    return createMCPClient({
      transport: {
        type: "http",
        url,
        ...(headers ? { headers: { ...headers } } : {}),
        fetch: (input, init) => this.#fetch(input, init),
      },
      clientName: "nitka",
      initializationOptions: { signal },
      // The client knows no notifications and reports each of them here, progress and log lines too: `#fetch` finds those
      // that matter. Any other error may be the end of the stream that would have brought them.
      onUncaughtError: (error) => {
        if (!/unsupported message type/i.test(String(error))) this.#isStale = true;
      },
    });
  }

  /** Sends a request of the transport: names the visitor, asks for progress, and sees what the client does not tell. */
  async #fetch(input: string | URL | Request, init: RequestInit | undefined): Promise<Response> {
    // Only what is sent: the stream of notifications, which may open at the same time, belongs to all visitors.
    const call = init?.method === "POST" ? this.#calls.getStore() : undefined;
    const headers = new Headers(init?.headers);
    if (call?.visitor && this.#options.visitorTokens) {
      headers.set(VISITOR_HEADER, this.#options.visitorTokens.sign(call.visitor, call.options.toolCallId));
    }
    const body =
      call && typeof init?.body === "string" ? { body: withProgressToken(init.body, call.progressToken) } : {};
    // The SDK's transport has no timeout for the request that ends a session.
    const closing = init?.method === "DELETE" ? { signal: AbortSignal.timeout(CLOSE_TIMEOUT_MS) } : {};
    const response = await fetch(input, { ...init, ...body, headers, ...closing });
    if (call && response.status === 404) call.isUnknownSession = true;
    return watchEventStream(response, {
      onListChanged: () => {
        this.#isStale = true;
      },
      onProgress: (token) => this.#inProgress.get(token)?.onProgress(),
      onEnd: () => {
        if (call) this.#breakAfterSlack(call);
      },
    });
  }

  #breakAfterSlack(call: Call): void {
    this.#options.clock.after(END_SLACK_MS, () =>
      call.broken.reject(new Error(`The MCP server ${this.name} ended its stream without a response`)),
    );
  }

  /** Takes a session out of use. Calls that were sent over it still get their responses. */
  #retire(session: Session): void {
    session.isRetired = true;
    if (this.#session === session) this.#session = undefined;
    this.#closeUnused(session);
  }

  /** Closes a session without waiting, since that may hang. */
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

async function listed(session: Session, timeout: AbortSignal): Promise<Session> {
  session.tools = await Promise.race([callableTools(session.client, timeout), rejectWhenAborted(timeout)]);
  return session;
}

function withProgressToken(body: string, token: string): string {
  const message = JSON.parse(body) as { readonly params?: { readonly _meta?: object } };
  return JSON.stringify({
    ...message,
    params: { ...message.params, _meta: { ...message.params?._meta, progressToken: token } },
  });
}

/** Whether the error is a JSON-RPC response of the server: the connection works. */
function isServerError(error: unknown): boolean {
  return typeof (error as { readonly code?: unknown } | null)?.code === "number";
}

export function whenAborted(signal: AbortSignal): Promise<false> {
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
