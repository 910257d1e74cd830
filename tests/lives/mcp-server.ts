/** An MCP server with tools for many lives, each with its own address. It counts the executed calls. */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { listenLocally } from "../../scripts/listen-locally.mjs";
import type { Fault } from "./fault.ts";

export interface LifeTools {
  readonly url: string;
  /** The number of executions of each call, by the tool's name and the call's `key`. */
  readonly executed: ReadonlyMap<string, number>;
  leave(): void;
}

export interface McpServer {
  /** @param faultOf the fault of the next request of a method */
  enter(life: string, faultOf: (method: string) => Pick<Fault, "how" | "ms"> | undefined): LifeTools;
  stop(): Promise<void>;
}

interface Life {
  readonly executed: Map<string, number>;
  readonly faultOf: (method: string) => Pick<Fault, "how" | "ms"> | undefined;
}

interface Call {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly key?: string } };
}

const tools = ["look", "pay"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object", properties: { key: { type: "string" } } },
}));

export async function startMcpServer(): Promise<McpServer> {
  const lives = new Map<string, Life>();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listenLocally(server);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const life = lives.get(request.url ?? "");
    if (!life || request.method !== "POST") {
      response.writeHead(request.method === "DELETE" ? 200 : 405).end();
      return;
    }
    const call = JSON.parse(await text(request)) as Call;
    const fault = life.faultOf(call.method);
    if (fault?.how === "broken") {
      response.writeHead(500).end();
      return;
    }
    if (fault?.how === "slow") await sleep(fault.ms);
    const outcome = outcomeOf(call, life);
    if (fault?.how === "lost") {
      response.destroy();
      return;
    }
    if (call.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    // The response of a gateway whose server was too slow. The tool may have run.
    if (fault?.how === "late") {
      const error = { code: -32_001, message: "Request timed out" };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, error }));
      return;
    }
    response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...outcome }));
  }

  return {
    enter(life, faultOf) {
      const path = `/${life}`;
      const executed = new Map<string, number>();
      lives.set(path, { executed, faultOf });
      return { url: `http://127.0.0.1:${port}${path}`, executed, leave: () => void lives.delete(path) };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function outcomeOf({ method, params }: Call, { executed }: Life): object {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "lives", version: "1" },
        },
      };
    case "tools/list":
      return { result: { tools } };
    case "tools/call": {
      const key = `${params?.name} ${params?.arguments?.key}`;
      executed.set(key, (executed.get(key) ?? 0) + 1);
      return { result: { content: [{ type: "text", text: `done ${key}` }] } };
    }
    default:
      return { result: {} };
  }
}
