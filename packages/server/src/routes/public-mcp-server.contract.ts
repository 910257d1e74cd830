/** Public MCP servers from npm, each in a process of its own, over HTTP. */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { eventually } from "../test-waits/eventually.contract.ts";

const everything = import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js");
const memory = import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js");

export interface PublicMcpServer {
  readonly url: string;
  readonly stop: () => void;
}

/** `@modelcontextprotocol/server-everything`, which has a tool for each feature of MCP. */
export async function startEverything(): Promise<PublicMcpServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(everything), "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  await eventually(async () => {
    await fetch(url);
  });
  return { url, stop: () => child.kill() };
}

interface Message {
  readonly id?: number;
}

/** `@modelcontextprotocol/server-memory`, which uses stdin and stdout: each request is forwarded to it. */
export async function startMemory(file: string): Promise<PublicMcpServer> {
  const env = { ...process.env, MEMORY_FILE_PATH: file };
  const child = spawn(process.execPath, [fileURLToPath(memory)], { env, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (line: string) => void>();
  createInterface(child.stdout).on("line", (line) => waiting.get((JSON.parse(line) as Message).id ?? -1)?.(line));
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      if (request.method !== "POST") return response.writeHead(request.method === "DELETE" ? 200 : 405).end();
      const { id } = JSON.parse(body) as Message;
      const line = new Promise<string>((resolve) => {
        if (id !== undefined) waiting.set(id, resolve);
      });
      child.stdin.write(`${body}\n`);
      if (id === undefined) return response.writeHead(202).end();
      return response.writeHead(200, { "content-type": "application/json" }).end(await line);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const stop = () => {
    child.kill();
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, stop };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
