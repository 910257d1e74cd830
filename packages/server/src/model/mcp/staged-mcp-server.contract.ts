/** An MCP server for tests. It can restart, change its tools and hang. */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface StagedMcpServer {
  readonly url: string;
  /** The methods of the requests that it received, in order. */
  readonly asked: string[];
  /** The visitor of each of these requests, where it names one. */
  readonly visitorOf: (string | undefined)[];
  /** The visitors that its requests have named, in order. */
  readonly visitors: readonly string[];
  /** How many clients listen for its notifications. */
  readonly listeners: number;
  /** The names of its tools. */
  tools: readonly string[];
  /** The names of the tools that it marks as destructive. */
  destructive: readonly string[];
  /** The names of the tools that were run, in order. */
  readonly ran: string[];
  /** Called before the response to a tool call is sent, after the tool has run. What it returns is the response's JSON-RPC error. */
  beforeResult: (tool: string) => Promise<{ readonly code: number; readonly message: string } | undefined | void>;
  /** Whether the 404 for an unknown session has a JSON-RPC error as its body, as servers made with MCP's own SDK send. */
  explains404: boolean;
  /** Which requests never get a response: all of them, or those that end a session. */
  hangs: "never" | "always" | "on closing";
  /** Forgets its sessions, as a restart does. */
  restart(): void;
  /** Sends its clients a notification, as JSON of one message; in several chunks where it is given so. */
  notify(...chunks: readonly string[]): void;
  /** Notifies its clients that its tools have changed. */
  announceChange(): void;
  stop(): Promise<void>;
}

interface Call {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
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
    destructive: [],
    ran: [],
    beforeResult: async () => undefined,
    explains404: false,
    hangs: "never",
    restart: () => {
      sessions = new Set();
    },
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
    const error = call.method === "tools/call" ? await staged.beforeResult(name) : undefined;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...(error ? { error } : outcomeOf(call)) }));
  }

  function marksOf(name: string) {
    return staged.destructive.includes(name) ? { destructiveHint: true } : {};
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
      case "tools/list":
        return { result: { tools: staged.tools.map((name) => ({ name, inputSchema, annotations: marksOf(name) })) } };
      case "tools/call":
        return { result: { content: [{ type: "text", text: `${params?.name} is done` }] } };
      default:
        return { error: { code: -32_601, message: `There is no ${method}` } };
    }
  }
}
