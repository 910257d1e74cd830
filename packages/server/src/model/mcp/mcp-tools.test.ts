import { LLMock, MCPMock } from "@copilotkit/aimock";
import type { ToolSet } from "ai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { ask, partsOfAnswer } from "../model.contract.ts";
import { createOpenAiCompatibleModel } from "../openai-compatible.ts";
import type { ServerTool } from "../run-visitor.ts";
import { absentVisitor } from "../testing/absent-visitor.ts";
import { createMcpTools } from "./mcp-tools.ts";
import type { McpServer } from "./mcp-connection.ts";
import type { McpTools, McpToolsOptions } from "./mcp-tools.ts";
import { resultOf, startMcpServer } from "./staged-mcp-server.contract.ts";
import type { StagedMcpServer } from "./staged-mcp-server.contract.ts";

const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

describe("createMcpTools", () => {
  it("gives a model the tools of its servers", async () => {
    const { server } = await shopServer();
    const upstream = await startUpstream();
    upstream.on({ userMessage: "go", hasToolResult: true }, { content: "Two left" });
    upstream.onMessage("go", { toolCalls: [{ id: "c1", name: "stock", arguments: '{"item":"bowl"}' }] });
    const { open } = connect({ servers: { shop: server } });
    const model = createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url, openTools: open });
    const { events, error } = await ask({ model, question: "go" });
    expect(error).toBeUndefined();
    expect(partsOfAnswer(events)).toMatchObject([
      { type: "tool-call", toolName: "stock", args: { item: "bowl" }, result: "bowl: 2" },
      { type: "text", text: "Two left" },
    ]);
    expect(upstream.getRequests()[0]?.body).toMatchObject({
      tools: [{ function: { name: "stock", description: "What is left of an item" } }],
    });
  });

  it("says where a tool comes from and whether it is destructive, for the visitor's approval", async () => {
    const [shop, docs] = [await staged(["search", "wipe"]), await staged(["search"])];
    shop.marks = { wipe: { annotations: { destructiveHint: true } } };
    const upstream = await startUpstream();
    upstream.on({ userMessage: "go", hasToolResult: true }, { content: "Done" });
    const names = ["shop_search", "shop_wipe", "docs_search"];
    upstream.onMessage("go", { toolCalls: names.map((name) => ({ id: name, name, arguments: "{}" })) });
    const servers = Object.entries({ shop, docs }).map(([name, { url }]) => [name, { type: "http", url }] as const);
    const tools = connect({ servers: Object.fromEntries(servers) });
    const model = createOpenAiCompatibleModel({
      model: "m",
      baseUrl: upstream.url,
      openTools: tools.open,
      knownTools: tools.names,
    });
    const asked: ServerTool[] = [];
    const mustApprove = (tool: ServerTool) => asked.push(tool) > 0 && tool.destructive;
    const { events } = await ask({ model, question: "go" }, { visitor: { ...absentVisitor, mustApprove } });
    expect(asked).toEqual([
      { name: "shop_search", mcp: { server: "shop", tool: "search" }, destructive: false },
      { name: "shop_wipe", mcp: { server: "shop", tool: "wipe" }, destructive: true },
      { name: "docs_search", mcp: { server: "docs", tool: "search" }, destructive: false },
    ]);
    expect(partsOfAnswer(events)).toMatchObject([
      { toolName: "shop_search", result: "search is done" },
      { toolName: "shop_wipe", approval: "denied" },
      { toolName: "docs_search", result: "search is done" },
      { type: "text", text: "Done" },
    ]);
    expect(count(shop, "tools/call")).toEqual([1]);
    expect(await model.toolNames?.()).toEqual(names);
  });

  it("retires when the last run that has opened its tools is over", async () => {
    const mcp = await staged(["stock"]);
    const tools = connect({ servers: { shop: { type: "http", url: mcp.url } } });
    const [first, second] = [await tools.open(never()), await tools.open(never())];
    tools.retire();
    await first.close?.();
    expect(await run(second.tools, "stock")).toBe("stock is done");
    expect(count(mcp, "close")).toEqual([0]);
    await second.close?.();
    await eventually(() => expect(count(mcp, "close")).toEqual([1]));
    expect((await tools.open(never())).missing).toEqual(["shop"]);
  });

  it("shares one connection and one list of tools between runs, and ends the session when it is closed", async () => {
    const mcp = await staged(["stock"]);
    const tools = connect({ servers: { shop: { type: "http", url: mcp.url } } });
    const [first, second] = await Promise.all([tools.open(never()), tools.open(never())]);
    expect(await run(first.tools, "stock")).toBe("stock is done");
    expect(await run((await tools.open(never())).tools, "stock")).toBe("stock is done");
    expect(Object.keys(second.tools)).toEqual(["stock"]);
    expect(count(mcp, "initialize", "tools/list")).toEqual([1, 1]);
    await tools.close();
    expect(count(mcp, "close")).toEqual([1]);
  });

  it("lists the tools again when the server announces a change, and when the list is no longer fresh", async () => {
    const clock = createManualClock();
    const mcp = await staged(["stock"]);
    const tools = connect({ servers: { shop: { type: "http", url: mcp.url } }, clock });
    await tools.open(never());
    mcp.tools = ["stock", "prices"];
    await eventually(async () => {
      mcp.announceChange();
      expect(Object.keys((await tools.open(never())).tools)).toEqual(["stock", "prices"]);
    });
    mcp.tools = ["prices"];
    await clock.advance(400_000);
    await eventually(async () => expect(Object.keys((await tools.open(never())).tools)).toEqual(["prices"]));
  });

  it("continues without a server that cannot be reached, and names it", async () => {
    const { server } = await shopServer();
    const onError = vi.fn<(server: string, error: unknown) => void>();
    const { open } = connect({
      servers: { shop: server, gone: { type: "http", url: "http://127.0.0.1:9/mcp" } },
      onError,
    });
    const opened = await open(never());
    expect([Object.keys(opened.tools), opened.missing]).toEqual([["shop_stock"], ["gone"]]);
    expect(onError.mock.calls).toEqual([["gone", expect.any(Error)]]);
  });

  it("waits once for a server that hangs, and not again until it is back", async () => {
    const clock = createManualClock();
    const mcp = await staged(["stock"]);
    mcp.hangs = "always";
    const onError = vi.fn<(server: string, error: unknown) => void>();
    const { open } = connect({
      servers: { shop: { type: "http", url: mcp.url } },
      onError,
      connectTimeoutMs: 300,
      clock,
    });
    expect((await open(never())).missing).toEqual(["shop"]);
    const askedBefore = mcp.asked.length;
    for (let n = 0; n < 5; n += 1) expect((await open(never())).missing).toEqual(["shop"]);
    expect([mcp.asked.length - askedBefore, onError.mock.calls.length]).toEqual([0, 1]);

    mcp.hangs = "never";
    await eventually(async () => {
      await clock.advance(30_000);
      const { tools, missing } = await open(never());
      expect([Object.keys(tools), missing]).toEqual([["stock"], []]);
    });
  });

  it("connects again to a server that was restarted", async () => {
    const mcp = await staged(["stock"]);
    const { open } = connect({ servers: { shop: { type: "http", url: mcp.url } } });
    const { tools } = await open(never());
    mcp.restart();
    expect(await run(tools, "stock")).toBe("stock is done");
    mcp.restart();
    expect(await run((await open(never())).tools, "stock")).toBe("stock is done");
  });

  it("closes in time when a server hangs while closing", async () => {
    const mcp = await staged(["stock"]);
    mcp.hangs = "on closing";
    const tools = connect({ servers: { shop: { type: "http", url: mcp.url } } });
    await tools.open(never());
    await tools.close();
    expect(count(mcp, "close")).toEqual([1]);
  });

  it("gives two tools with the same name different names", async () => {
    const [first, second] = [await shopServer(), await shopServer()];
    const { open } = connect({ servers: { north: first.server, south: second.server } });
    expect(Object.keys((await open(never())).tools)).toEqual(["north_stock", "south_stock"]);
  });

  it("gives different names to tools whose names are equal after they are cut to the provider's limit", async () => {
    const long = "x".repeat(70);
    const mcp = await staged([`${long}-one`, `${long}-two`, "a b", "a.b", "a_b"]);
    const { open } = connect({ servers: { shop: { type: "http", url: mcp.url } } });
    const { tools } = await open(never());
    expect(Object.keys(tools)).toHaveLength(5);
    expect(Object.keys(tools).filter((name) => !/^[\w-]{1,64}$/.test(name))).toEqual([]);
    const results = await Promise.all(Object.keys(tools).map((name) => run(tools, name)));
    expect(new Set(results)).toEqual(
      new Set([`${long}-one`, `${long}-two`, "a b", "a.b", "a_b"].map((n) => `${n} is done`)),
    );
  });

  it("refuses to list tools of two servers that would have one name, and offers only the first", async () => {
    const [first, second] = [await staged(["b_c"]), await staged(["c", "d"])];
    const onError = vi.fn<(server: string, error: unknown) => void>();
    const onListed = vi.fn<(server: string, names: readonly string[]) => void>();
    const { open, list } = connect({
      servers: { a: { type: "http", url: first.url }, a_b: { type: "http", url: second.url } },
      onError,
      onListed,
    });
    await expect(list()).rejects.toThrow("The tool c of the MCP server a_b would have the name of another tool, a_b_c");
    expect(Object.keys((await open(never())).tools)).toEqual(["a_b_c", "a_b_d"]);
    expect(onError.mock.calls).toEqual([["a_b", expect.any(TypeError)]]);
    expect(Object.fromEntries(onListed.mock.calls)).toEqual({ a: ["b_c"], a_b: ["c", "d"] });
  });

  it("lists the tools of each server that is up, and nothing for one that is down", async () => {
    const shop = await staged(["search"]);
    const { list } = connect({
      servers: { shop: { type: "http", url: shop.url }, gone: { type: "http", url: "http://127.0.0.1:9/mcp" } },
      onError: () => undefined,
    });
    expect(await list()).toEqual({ shop: ["search"], gone: undefined });
  });

  it.each(["", "a b", "x".repeat(33), "магазин"])("refuses a server with the name %j", (name) => {
    expect(() => connect({ servers: { [name]: { type: "http", url: "http://127.0.0.1:9/mcp" } } })).toThrow(
      "at most 32 letters",
    );
  });

  it("throws the error result of a tool", async () => {
    const { mcp, server } = await shopServer();
    mcp.onToolCall("stock", () => {
      throw new Error("the shelf is locked");
    });
    const { tools } = await connect({ servers: { shop: server } }).open(never());
    await expect(run(tools, "stock")).rejects.toThrow("the shelf is locked");
  });

  it("reports a transport error to the log, and hides it from the visitor", async () => {
    const mcp = await staged(["stock"]);
    const onError = vi.fn<(server: string, error: unknown) => void>();
    const { open } = connect({ servers: { shop: { type: "http", url: mcp.url } }, onError });
    const { tools } = await open(never());
    await mcp.stop();
    await expect(run(tools, "stock")).rejects.toThrow(/^The tool's server could not be reached$/);
    expect(onError.mock.calls[0]).toEqual(["shop", expect.any(Error)]);
  });
});

describe("an answer with missing tools", () => {
  it.each([
    ["Что на складе?", "*Часть инструментов сейчас недоступна, поэтому ответ может быть неполным.*"],
    ["What is in stock?", "*Some tools are not available right now, so this answer may be incomplete.*"],
  ])("says so before anything else, and the model knows: %s", async (question, sentence) => {
    const upstream = await startUpstream();
    upstream.onMessage(question, { content: "Не знаю" });
    const { open } = connect({
      servers: { shop: { type: "http", url: "http://127.0.0.1:9/mcp" } },
      onError: () => undefined,
    });
    const model = createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url, openTools: open });
    const { events, error } = await ask({ model, question });
    expect(error).toBeUndefined();
    expect(partsOfAnswer(events)).toEqual([
      { type: "text", text: sentence },
      { type: "text", text: "Не знаю" },
    ]);
    const body = upstream.getLastRequest()?.body as { readonly messages: readonly unknown[] };
    expect(body.messages[0]).toMatchObject({
      role: "system",
      content: expect.stringContaining("not available right now: shop") as unknown,
    });

    const later = [
      { id: "1", role: "user", content: question },
      { id: "2", role: "assistant", content: partsOfAnswer(events) },
      { id: "3", role: "user", content: question },
    ] as const;
    await ask({ model, question: "" }, { history: later });
    expect(JSON.stringify(upstream.getLastRequest()?.body)).not.toContain(sentence);
  });

  it("ends with its model, even when its tools hang while closing", async () => {
    const upstream = await startUpstream();
    upstream.onMessage("go", { content: "Done" });
    const model = createOpenAiCompatibleModel({
      model: "m",
      baseUrl: upstream.url,
      openTools: async () => ({ tools: {}, close: () => new Promise<void>(() => undefined) }),
    });
    expect((await ask({ model, question: "go" })).error).toBeUndefined();
  });
});

function connect(options: Partial<McpToolsOptions> & Pick<McpToolsOptions, "servers">): McpTools {
  const tools = createMcpTools({ onError: unexpected, ...options });
  stops.unshift(() => tools.close());
  return tools;
}

async function staged(tools: readonly string[]): Promise<StagedMcpServer> {
  const server = await startMcpServer(tools);
  stops.push(() => server.stop());
  return server;
}

async function startUpstream(): Promise<LLMock> {
  const upstream = new LLMock({ port: 0 });
  await upstream.start();
  stops.push(() => upstream.stop());
  return upstream;
}

async function run(tools: ToolSet, name: string): Promise<unknown> {
  const options = { toolCallId: "1", messages: [], context: {} } as never;
  return resultOf(tools[name]?.execute?.({ item: "bowl" } as never, options));
}

function count({ asked }: StagedMcpServer, ...methods: readonly string[]): readonly number[] {
  return methods.map((method) => asked.filter((each) => each === method).length);
}

function never(): AbortSignal {
  return new AbortController().signal;
}

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
