import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LLMock, MCPMock } from "@copilotkit/aimock";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openMcpTools } from "./mcp-tools.ts";
import type { McpServer } from "./mcp-tools.ts";
import { ask, partsOfAnswer } from "./model.contract.ts";
import { createOpenAiCompatibleModel } from "./provider-models.ts";

const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

describe("openMcpTools", () => {
  it("gives a model the tools of its servers, and closes the connections with the run", async () => {
    const { mcp, server } = await shopServer();
    const upstream = new LLMock({ port: 0 });
    await upstream.start();
    stops.push(() => upstream.stop());
    upstream.on({ userMessage: "go", hasToolResult: true }, { content: "Two left" });
    upstream.onMessage("go", { toolCalls: [{ id: "c1", name: "stock", arguments: '{"item":"bowl"}' }] });
    const model = createOpenAiCompatibleModel({
      model: "m",
      baseUrl: upstream.url,
      openTools: (signal) => openMcpTools({ servers: { shop: server }, onError: unexpected }, signal),
    });
    const { events, error } = await ask({ model, question: "go" });
    expect(error).toBeUndefined();
    expect(partsOfAnswer(events)).toMatchObject([
      { type: "tool-call", toolName: "stock", args: { item: "bowl" }, result: "bowl: 2" },
      { type: "text", text: "Two left" },
    ]);
    expect(upstream.getRequests()[0]?.body).toMatchObject({
      tools: [{ function: { name: "stock", description: "What is left of an item" } }],
    });
    await vi.waitFor(() => expect(mcp.getSessions().size).toBe(0));
  });

  it("goes on without a server that cannot be reached, and says which", async () => {
    const { server } = await shopServer();
    const onError = vi.fn<(server: string, error: unknown) => void>();
    const opened = await openMcpTools(
      { servers: { shop: server, gone: { type: "http", url: "http://127.0.0.1:9/mcp" } }, onError },
      new AbortController().signal,
    );
    expect(Object.keys(opened.tools)).toEqual(["stock"]);
    expect(onError.mock.calls).toEqual([["gone", expect.any(Error)]]);
    await opened.close();
  });

  it("waits only so long for a server that says nothing", async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    stops.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const onError = vi.fn<(server: string, error: unknown) => void>();
    const opened = await openMcpTools(
      { servers: { mute: { type: "http", url } }, onError, connectTimeoutMs: 60 },
      new AbortController().signal,
    );
    expect([Object.keys(opened.tools), onError.mock.calls.length]).toEqual([[], 1]);
  });

  it("tells two tools of one name apart", async () => {
    const [first, second] = [await shopServer(), await shopServer()];
    const opened = await openMcpTools(
      { servers: { north: first.server, south: second.server }, onError: unexpected },
      new AbortController().signal,
    );
    expect(Object.keys(opened.tools)).toEqual(["north_stock", "south_stock"]);
    await opened.close();
  });

  it("tells a tool's own error as an error", async () => {
    const { mcp, server } = await shopServer();
    mcp.onToolCall("stock", () => {
      throw new Error("the shelf is locked");
    });
    const { tools, close } = await openMcpTools(
      { servers: { shop: server }, onError: unexpected },
      new AbortController().signal,
    );
    const call = tools["stock"]?.execute?.(
      { item: "bowl" } as never,
      { toolCallId: "1", messages: [], context: {} } as never,
    );
    await expect(call).rejects.toThrow("the shelf is locked");
    await close();
  });

  it("keeps to itself why a tool's server cannot be asked, and tells who runs the program", async () => {
    const { mcp, server } = await shopServer();
    const onError = vi.fn<(server: string, error: unknown) => void>();
    const { tools, close } = await openMcpTools({ servers: { shop: server }, onError }, new AbortController().signal);
    stops.splice(0);
    await mcp.stop();
    const call = tools["stock"]?.execute?.(
      { item: "bowl" } as never,
      { toolCallId: "1", messages: [], context: {} } as never,
    );
    await expect(call).rejects.toThrow(/^The tool's server could not be asked$/);
    expect(onError.mock.calls[0]).toEqual(["shop", expect.any(Error)]);
    await close();
  });
});

async function shopServer(): Promise<{ readonly mcp: MCPMock; readonly server: McpServer }> {
  const mcp = new MCPMock();
  mcp.addTool({
    name: "stock",
    description: "What is left of an item",
    inputSchema: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
  });
  mcp.onToolCall("stock", (args) => `${(args as { readonly item: string }).item}: 2`);
  const url = await mcp.start();
  stops.push(() => mcp.stop());
  return { mcp, server: { type: "http", url } };
}

function unexpected(server: string, error: unknown): never {
  throw new Error(`The MCP server ${server} failed`, { cause: error });
}
