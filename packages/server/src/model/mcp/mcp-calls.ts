import { AsyncLocalStorage } from "node:async_hooks";
import type { ToolExecutionOptions } from "ai";
import type { Clock } from "../clock.ts";
import { VISITOR_HEADER } from "../visitor-token.ts";
import type { VisitorIdentity, VisitorTokens } from "../visitor-token.ts";
import { MessageTooLargeError, progressToken, watchResponse } from "./watch-response.ts";

/** How long after the end of its event stream a call's response may still be on its way through the client. */
const END_SLACK_MS = 1_000;

/**
 * How many streams of notifications may end because of a message that is too large. The client opens the next one after a second,
 * and would go on so without end. Without a stream, the list of tools is as fresh as its time to live.
 */
const MAX_FLOODS = 2;

/** What a tool call is made for. */
export interface CallOptions {
  readonly visitor: VisitorIdentity | undefined;
  readonly options: ToolExecutionOptions<unknown>;
  /** Called when the server says that it works on the call. */
  readonly onProgress: () => void;
}

/** Something that the server is asked. It is kept in the asynchronous context from which the transport sends the request. */
export interface McpCall {
  /** None when the connection asks for itself, such as for the list of tools. */
  readonly tool: CallOptions | undefined;
  readonly progressToken: string;
  /** Rejects when the stream that was to bring the response has ended without it, which the client does not notice. */
  readonly broken: Promise<never>;
  /** Rejects `broken`. */
  readonly break: (reason: Error) => void;
  /** The server did not know the session (HTTP 404), so it did not carry the call out (MCP, "Session Management"). */
  isUnknownSession: boolean;
}

export interface McpCallsOptions {
  readonly serverName: string;
  readonly clock: Clock;
  readonly visitorTokens: VisitorTokens | undefined;
}

/** The calls of one server: sends their requests, tells them their progress, and ends those that get no response any more. */
export class McpCalls {
  readonly #options: McpCallsOptions;
  readonly #current = new AsyncLocalStorage<McpCall>();
  /** The calls without a result, by their progress tokens. */
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

  /** Resolves with what `ask` gets. The requests that it sends are those of the call. */
  async run<T>(call: McpCall, ask: () => Promise<T>): Promise<T> {
    this.#inProgress.set(call.progressToken, call);
    try {
      return await Promise.race([this.#current.run(call, ask), call.broken]);
    } finally {
      this.#inProgress.delete(call.progressToken);
    }
  }

  /** Sends a request of the transport: names the visitor, asks for progress, and sees what the client does not tell. */
  async fetch(
    input: string | URL | Request,
    init: RequestInit | undefined,
    onListChanged: () => void,
  ): Promise<Response> {
    // As a server answers that has no such stream.
    if (init?.method === "GET" && this.#floods >= MAX_FLOODS) return new Response(null, { status: 405 });
    // Only what is sent: the stream of notifications, which may open at the same time, belongs to all visitors.
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
