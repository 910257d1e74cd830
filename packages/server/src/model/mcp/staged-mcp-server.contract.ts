/** An MCP server for tests. It can restart, change its tools and hang. */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import type { ToolSet } from "ai";
import { onTestFinished } from "vitest";
import { createMcpTools } from "./mcp-tools.ts";

export interface StagedMcpServer {
  readonly url: string;
  /** The methods of the requests that it received, in order. */
  readonly asked: string[];
  /** The visitor of each of these requests, if it has one. */
  readonly visitorOf: (string | undefined)[];
  /** The visitors of its requests, in order. */
  readonly visitors: readonly string[];
  /** The number of clients that listen for its notifications. */
  readonly listeners: number;
  /** The names of its tools. */
  tools: readonly string[];
  /** The metadata of its tools besides their names, by name: `annotations`, `execution`. */
  marks: Readonly<Record<string, object>>;
  /** The number of tools on a page of its list. */
  pageSize: number;
  /** The names of the tools that were run, in order. */
  readonly ran: string[];
  /**
   * Called before the response to a tool call is sent, after the tool has run. A returned value becomes the response's
   * JSON-RPC error.
   */
  beforeResult: (tool: string, stream: CallStream) => Promise<RpcError | undefined | void>;
  /** The result of a tool call. Default: the text "<tool> is done". */
  resultOf: (tool: string) => object;
  /**
   * Whether the 404 for an unknown session has a JSON-RPC error as its body, like that of servers made with MCP's own
   * SDK.
   */
  explains404: boolean;
  /** Whether it answers every request with an event stream. */
  streams: boolean;
  /** Whether answers that are not event streams are compressed. */
  compresses: boolean;
  /** Which requests never get a response: none, all, or those that end a session. */
  hangs: "never" | "always" | "on closing";
  /** Whether it breaks the connection of each request, like a host without the server. */
  isAway: boolean;
  /** Forgets its sessions, like a restart. */
  restart(): void;
  /** Breaks all connections, like a process that dies. */
  breakOff(): void;
  /** Sends its clients a notification, as the JSON of one message; each argument is a chunk. */
  notify(...chunks: readonly string[]): void;
  /** Notifies its clients that its tools have changed. */
  announceChange(): void;
  stop(): Promise<void>;
}

/** The event stream of one call. Its first use makes the response a stream. */
export interface CallStream {
  /** Reports progress of the call. */
  progress(): void;
  /** Sends a notification of a log line. */
  log(line: string, lineEnd?: string): void;
  /** Sends this piece repeatedly until the client disconnects. Resolves to the number of bytes sent. */
  flood(piece: string, contentType: string, status?: number): Promise<number>;
  /** Ends the stream without a response. */
  end(): void;
}

/** The end of a flood, so that a test without the limit fails instead of exhausting the memory. */
const FLOOD_BYTES = 100_000_000;

interface RpcError {
  readonly code: number;
  readonly message: string;
}

interface Call {
  readonly id?: number;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly cursor?: string;
    readonly _meta?: { readonly progressToken?: unknown };
  };
}

export async function startMcpServer(tools: readonly string[]): Promise<StagedMcpServer> {
  const streams = new Set<ServerResponse>();
  let sessions = new Set<string>();
  let begun = 0;

  const server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

  const staged: StagedMcpServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked: [],
    visitorOf: [],
    get visitors() {
      return staged.visitorOf.filter((visitor) => visitor !== undefined);
    },
    get listeners() {
      return streams.size;
    },
    tools,
    marks: {},
    pageSize: 100,
    ran: [],
    beforeResult: async () => undefined,
    resultOf: (tool) => ({ content: [{ type: "text", text: `${tool} is done` }] }),
    explains404: false,
    streams: false,
    compresses: false,
    hangs: "never",
    isAway: false,
    restart: () => {
      sessions = new Set();
    },
    breakOff: () => server.closeAllConnections(),
    notify: (...chunks) => {
      for (const stream of streams) {
        stream.write("event: message\ndata: ");
        for (const chunk of chunks) stream.write(chunk);
        stream.write("\n\n");
      }
    },
    announceChange: () => staged.notify(JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return staged;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ask = (what: string) => {
      staged.asked.push(what);
      staged.visitorOf.push(request.headers["x-nitka-visitor"]?.toString());
    };
    if (staged.isAway) {
      request.socket.destroy();
      return;
    }
    if (staged.hangs === "always" || (staged.hangs === "on closing" && request.method === "DELETE")) {
      ask(request.method === "DELETE" ? "close" : "in vain");
      return;
    }
    if (request.method === "DELETE") {
      ask("close");
      response.writeHead(200).end();
      return;
    }
    const session = String(request.headers["mcp-session-id"] ?? "");
    if (request.method === "GET") {
      ask("listen");
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      streams.add(response);
      response.on("close", () => streams.delete(response));
      return;
    }
    const call = JSON.parse(await text(request)) as Call;
    ask(call.method);
    if (call.method === "initialize") {
      begun += 1;
      sessions.add(`s${begun}`);
      response.setHeader("mcp-session-id", `s${begun}`);
    } else if (session !== "" && !sessions.has(session)) {
      const error = { code: -32_001, message: "Session not found" };
      if (staged.explains404) response.setHeader("content-type", "application/json");
      response.writeHead(404).end(staged.explains404 ? JSON.stringify({ jsonrpc: "2.0", id: null, error }) : undefined);
      return;
    }
    if (call.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const { name = "" } = call.params ?? {};
    if (call.method === "tools/call") staged.ran.push(name);
    const stream = streamOf(response, call);
    if (staged.streams) response.writeHead(200, { "content-type": "text/event-stream" });
    const error = call.method === "tools/call" ? await staged.beforeResult(name, stream) : undefined;
    if (response.writableEnded || response.destroyed) return;
    const message = JSON.stringify({ jsonrpc: "2.0", id: call.id, ...(error ? { error } : outcomeOf(call)) });
    if (response.headersSent) response.end(`event: message\ndata: ${message}\n\n`);
    else if (staged.compresses) {
      response
        .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        .end(gzipSync(message));
    } else response.writeHead(200, { "content-type": "application/json" }).end(message);
  }

  function streamOf(response: ServerResponse, { params }: Call): CallStream {
    const begin = () => {
      if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
    };
    let progress = 0;
    return {
      progress: () => {
        begin();
        progress += 1;
        const told = { progressToken: params?._meta?.progressToken, progress };
        const message = JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: told });
        response.write(`event: message\ndata: ${message}\n\n`);
      },
      log: (line, lineEnd = "\n") => {
        begin();
        const message = JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { data: line } });
        response.write(`event: message${lineEnd}data: ${message}${lineEnd}${lineEnd}`);
      },
      flood: async (piece, contentType, status = 200) => {
        response.writeHead(status, { "content-type": contentType });
        let sent = 0;
        const pieces = function* () {
          for (; sent < FLOOD_BYTES; sent += piece.length) yield piece;
        };
        await pipeline(Readable.from(pieces()), response).catch(() => undefined);
        return sent;
      },
      end: () => {
        begin();
        response.end();
      },
    };
  }

  function outcomeOf({ method, params }: Call): object {
    const inputSchema = { type: "object", properties: {} };
    switch (method) {
      case "initialize": {
        const serverInfo = { name: "staged", version: "1" };
        return {
          result: { protocolVersion: "2025-06-18", capabilities: { tools: { listChanged: true } }, serverInfo },
        };
      }
      case "tools/list": {
        const from = Number(params?.cursor ?? 0);
        const to = from + staged.pageSize;
        const tools = staged.tools
          .slice(from, to)
          .map((name) => Object.assign({ name, inputSchema }, staged.marks[name]));
        return { result: { tools, ...(to < staged.tools.length && { nextCursor: String(to) }) } };
      }
      case "tools/call":
        return { result: staged.resultOf(params?.name ?? "") };
      default:
        return { error: { code: -32_601, message: `There is no ${method}` } };
    }
  }
}

/** The result of a tool of the AI SDK, which is the last value that it yields. */
export async function resultOf(executed: unknown): Promise<unknown> {
  const result: unknown = await executed;
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const each of result as AsyncIterable<unknown>) last = each;
  return last;
}

/** A staged server whose tools have these names, and its tools, until the test ends. */
export async function connectMcpServer(names: readonly string[]) {
  const mcp = await startMcpServer(names);
  const errors: unknown[] = [];
  const tools = createMcpTools({
    servers: { shop: { type: "http", url: mcp.url } },
    onError: (_, error) => errors.push(error),
  });
  onTestFinished(async () => {
    await tools.close();
    await mcp.stop();
  });
  const open = async () => (await tools.open(new AbortController().signal)).tools;
  return { mcp, open, errors };
}

/** Calls a tool without arguments. */
export async function runTool(tools: ToolSet, name: string): Promise<unknown> {
  return resultOf(tools[name]?.execute?.({} as never, { toolCallId: name, messages: [], context: {} } as never));
}
