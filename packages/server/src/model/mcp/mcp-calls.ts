import { AsyncLocalStorage } from "node:async_hooks";
import type { ToolExecutionOptions } from "ai";
import type { Clock } from "../clock.ts";
import { VISITOR_HEADER } from "../visitor-token.ts";
import type { VisitorIdentity, VisitorTokens } from "../visitor-token.ts";
import { MessageTooLargeError, progressToken, watchResponse } from "./watch-response.ts";

/**
 * How long a call's response may still be on its way through the client after the end of its event stream, in
 * milliseconds.
 */
const END_SLACK_MS = 1_000;

/**
 * The number of notification streams that may end because of a message that is too large. After each, the client opens
 * the next one after a second, without end. Without a stream, the list of tools is refreshed by its time to live.
 */
const MAX_FLOODS = 2;

/** The context of a tool call. */
export interface CallOptions {
  readonly visitor: VisitorIdentity | undefined;
  readonly options: ToolExecutionOptions<unknown>;
  /** Called when the server reports progress of the call. */
  readonly onProgress: () => void;
}

/** A request to the server. It is stored in the asynchronous context from which the transport sends it. */
export interface McpCall {
  /** `undefined` when the connection itself asks, for example for the list of tools. */
  readonly tool: CallOptions | undefined;
  readonly progressToken: string;
  /** Rejects when the stream that should bring the response has ended without it, which the client does not notice. */
  readonly broken: Promise<never>;
  /** Rejects `broken`. */
  readonly break: (reason: Error) => void;
  /** The server did not know the session (HTTP 404), so it has not executed the call (MCP, "Session Management"). */
  isUnknownSession: boolean;
}

export interface McpCallsOptions {
  readonly serverName: string;
  readonly clock: Clock;
  readonly visitorTokens: VisitorTokens | undefined;
}

/**
 * The calls to one server: sends their requests, reports their progress, and ends those that can no longer get a
 * response.
 */
export class McpCalls {
  readonly #options: McpCallsOptions;
  readonly #current = new AsyncLocalStorage<McpCall>();
  /** The calls without a result yet, by their progress tokens. */
  readonly #inProgress = new Map<string, McpCall>();
  #count = 0;
  #floods = 0;

  constructor(options: McpCallsOptions) {
    this.#options = options;
  }

  create(tool?: CallOptions): McpCall {
    this.#count += 1;
    const { promise: broken, reject } = Promise.withResolvers<never>();
    broken.catch(() => undefined);
    return { tool, progressToken: progressToken(this.#count), broken, break: reject, isUnknownSession: false };
  }

  /** Resolves to the result of `ask`. The requests that it sends belong to the call. */
  async run<T>(call: McpCall, ask: () => Promise<T>): Promise<T> {
    this.#inProgress.set(call.progressToken, call);
    try {
      return await Promise.race([this.#current.run(call, ask), call.broken]);
    } finally {
      this.#inProgress.delete(call.progressToken);
    }
  }

  /**
   * Sends a request of the transport: adds the visitor's token, requests progress, and watches for what the client does
   * not report.
   */
  async fetch(
    input: string | URL | Request,
    init: RequestInit | undefined,
    onListChanged: () => void,
  ): Promise<Response> {
    // The answer of a server that offers no such stream.
    if (init?.method === "GET" && this.#floods >= MAX_FLOODS) return new Response(null, { status: 405 });
    // Only for POST: the stream of notifications, which may open at the same time, belongs to all visitors.
    const call = init?.method === "POST" ? this.#current.getStore() : undefined;
    const response = await fetch(input, call?.tool ? await this.#requestOf(call, call.tool, init) : init);
    if (call && response.status === 404) call.isUnknownSession = true;
    return watchResponse(response, {
      onListChanged,
      onProgress: (token) => this.#inProgress.get(token)?.tool?.onProgress(),
      onEnd: (error) => {
        if (call) this.#breakAfterSlack(call, error);
        else if (error instanceof MessageTooLargeError) this.#floods += 1;
      },
    });
  }

  async #requestOf(
    call: McpCall,
    { visitor, options }: CallOptions,
    init: RequestInit | undefined,
  ): Promise<RequestInit> {
    const headers = new Headers(init?.headers);
    const { visitorTokens } = this.#options;
    if (visitor && visitorTokens) headers.set(VISITOR_HEADER, await visitorTokens.sign(visitor, options.toolCallId));
    const body = typeof init?.body === "string" ? { body: withProgressToken(init.body, call.progressToken) } : {};
    return { ...init, ...body, headers };
  }

  #breakAfterSlack(call: McpCall, error: unknown): void {
    const { clock, serverName } = this.#options;
    const reason =
      error instanceof MessageTooLargeError
        ? error
        : new Error(`The MCP server ${serverName} ended its stream without a response`);
    clock.after(END_SLACK_MS, () => call.break(reason));
  }
}

function withProgressToken(body: string, token: string): string {
  const message = JSON.parse(body) as { readonly params?: { readonly _meta?: object } };
  return JSON.stringify({
    ...message,
    params: { ...message.params, _meta: { ...message.params?._meta, progressToken: token } },
  });
}
