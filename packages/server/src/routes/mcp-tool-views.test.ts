import { LLMock } from "@copilotkit/aimock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StreamEvent } from "@nitka/protocol";
import { applyEvent } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import { tap } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { createMcpTools } from "../model/mcp/mcp-tools.ts";
import { startMcpServer } from "../model/mcp/staged-mcp-server.contract.ts";
import type { StagedMcpServer } from "../model/mcp/staged-mcp-server.contract.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import { shownMessage, withView } from "../services/tools/tool-views.ts";
import type { ToolViews } from "../services/tools/tool-views.ts";
import { withLoggedOrigins } from "../tool-origin.ts";

const { openThread } = threadOpener();
const stops: (() => Promise<unknown>)[] = [];
const toolViews: ToolViews = { "*": "name", "shop/*": "hidden", "docs/search": "all" };
let shop: StagedMcpServer;
let docs: StagedMcpServer;

beforeEach(async () => {
  shop = await staged("the margin is 40 %");
  docs = await staged("page 7");
});

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function staged(result: string): Promise<StagedMcpServer> {
  const server = await startMcpServer(["search"]);
  server.resultOf = () => ({ content: [{ type: "text", text: result }] });
  stops.push(() => server.stop());
  return server;
}

/** A chat whose model calls all of its tools, and then says «Готово». */
async function openChat(servers: Readonly<Record<string, StagedMcpServer>>) {
  const upstream = new LLMock({ port: 0 });
  await upstream.start();
  stops.push(() => upstream.stop());
  upstream.on({ hasToolResult: true }, { content: "Готово" });
  const all = Object.keys(servers).length > 1 ? Object.keys(servers).map((name) => `${name}_search`) : ["search"];
  upstream.on(
    { predicate: () => true },
    { toolCalls: all.map((name) => ({ id: name, name, arguments: '{"q":"cups"}' })) },
  );
  const tools = createMcpTools({
    servers: Object.fromEntries(Object.entries(servers).map(([name, { url }]) => [name, { type: "http", url }])),
    onError: () => undefined,
  });
  stops.push(() => tools.close());
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url, openTools: tools.open });
  const { client, threadId } = await openThread({ model, project: { toolViews } });
  return {
    /** What the visitor gets for a question: the stream, and the history after it. */
    ask: async (id: string) => {
      const stream = tap(await client.ask(threadId, { id }));
      await stream.done;
      return stream.text() + JSON.stringify(await client.messages(threadId));
    },
    offered: () => bodies(upstream).flatMap(({ tools = [] }) => [tools.map((tool) => tool.function.name)])[0],
    told: () => JSON.stringify(bodies(upstream)),
  };
}

function bodies(upstream: LLMock) {
  return upstream
    .getRequests()
    .map(({ body }) => body as { readonly tools?: { readonly function: { name: string } }[] });
}

describe("toolViews of tools of MCP servers", () => {
  it("apply to each server's tools, and the model gets everything", async () => {
    const { ask, offered, told } = await openChat({ shop, docs });
    const shown = await ask("q1");
    expect(offered()).toEqual(["shop_search", "docs_search"]);
    expect(shown).toContain("docs_search");
    expect(shown).toContain("page 7");
    expect(shown).not.toMatch(/shop|margin|"mcp"|"view"/);
    expect(told()).toContain("the margin is 40 %");
  });

  it.each(["shop", "docs"] as const)(
    "hide the same tools, under the same names, while %s is unavailable",
    async (away) => {
      const server = { shop, docs }[away];
      await server.stop();
      const { ask, offered } = await openChat({ shop, docs });
      const shown = await ask("q1");
      expect(offered()).toEqual(away === "shop" ? ["docs_search"] : ["shop_search"]);
      expect(shown).not.toMatch(/shop|margin|"mcp"|"view"/);
    },
  );

  it("hide the tool of a project's only server, which keeps its name", async () => {
    const { ask, offered } = await openChat({ shop });
    const shown = await ask("q1");
    expect(offered()).toEqual(["search"]);
    expect(shown).not.toMatch(/search|margin|"mcp"|"view"/);
  });

  it("apply to the answer that another instance makes from a dead instance's log", () => {
    const origins = {
      shop_search: { server: "shop", tool: "search" },
      docs_search: { server: "docs", tool: "search" },
    };
    const events = Object.keys(origins).flatMap((toolName): StreamEvent[] => [
      { type: "tool-input-start", toolCallId: toolName, toolName },
      { type: "tool-input-available", toolCallId: toolName, toolName, input: { q: "cups" } },
      { type: "tool-output-available", toolCallId: toolName, output: `found by ${toolName}` },
    ]);
    const originOf = (name: string) => origins[name as keyof typeof origins];
    const log: { readonly data: string }[] = [];
    let answer = beginAnswer("a1", "q1");
    for (const event of events) {
      log.push({ data: serializeEvent(withView(event, answer.message, toolViews, originOf)) });
      answer = applyEvent(answer, event);
    }
    const read = log.flatMap(({ data }) => parseStreamEvent(data) ?? []);
    const folded = withLoggedOrigins(read.reduce(applyEvent, beginAnswer("a1", "q1")).message, log);
    const shown = JSON.stringify(shownMessage(folded, toolViews));
    expect(shown).toContain("found by docs_search");
    expect(shown).not.toMatch(/shop_search|"mcp"/);
  });
});
