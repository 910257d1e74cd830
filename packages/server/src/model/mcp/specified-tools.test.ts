import { LLMock } from "@copilotkit/aimock";
import type { ToolSet } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import { ask, partsOfAnswer } from "../model.contract.ts";
import { createOpenAiCompatibleModel } from "../openai-compatible.ts";
import type { OpenTools } from "../open-tools.ts";
import type { ServerTool } from "../run-visitor.ts";
import { absentVisitor } from "../testing/absent-visitor.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { createMcpTools } from "./mcp-tools.ts";
import type { McpTools } from "./mcp-tools.ts";
import { startMcpServer } from "./staged-mcp-server.contract.ts";
import type { CallStream, StagedMcpServer } from "./staged-mcp-server.contract.ts";

let upstream: LLMock;
let mcp: StagedMcpServer;
let tools: McpTools;

beforeEach(async () => {
  upstream = new LLMock({ port: 0 });
  await upstream.start();
  mcp = await startMcpServer([]);
  tools = createMcpTools({ servers: { shop: { type: "http", url: mcp.url } }, onError: () => undefined });
});

afterEach(async () => {
  await tools.close();
  await mcp.stop();
  await upstream.stop();
});

/** A model that calls the tool, and then says «Done». */
function calling(name: string, options = {}) {
  upstream.on({ userMessage: "go", hasToolResult: true }, { content: "Done" });
  upstream.onMessage("go", { toolCalls: [{ id: "1", name, arguments: "{}" }] });
  return createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url, openTools: tools.open, ...options });
}

describe("a server's tools, as MCP specifies them", () => {
  it.each([
    [undefined, false],
    [{ readOnlyHint: true }, false],
    [{ readOnlyHint: true, destructiveHint: true }, false],
    [{ readOnlyHint: false, destructiveHint: false }, false],
    [{ destructiveHint: false }, false],
    [{ readOnlyHint: false }, true],
    [{ idempotentHint: true }, true],
    [{ destructiveHint: true }, true],
  ])("have MCP's default annotations: %j is destructive: %j", async (annotations, destructive) => {
    mcp.tools = ["pay"];
    mcp.marks = { pay: { annotations } };
    const asked: boolean[] = [];
    const mustApprove = (tool: ServerTool) => asked.push(tool.destructive) < 0;
    await ask({ model: calling("pay"), question: "go" }, { visitor: { ...absentVisitor, mustApprove } });
    expect(asked).toEqual([destructive]);
  });

  it("are not offered when they require a task, on whatever page of the list they are", async () => {
    mcp.tools = ["a", "research", "b", "report", "c"];
    mcp.pageSize = 2;
    mcp.marks = {
      research: { execution: { taskSupport: "required" } },
      report: { execution: { taskSupport: "optional" } },
      b: { execution: { taskSupport: "forbidden" } },
    };
    const { tools: offered } = await tools.open(new AbortController().signal);
    expect(Object.keys(offered)).toEqual(["a", "b", "report", "c"]);
    expect(mcp.asked.filter((method) => method === "tools/list")).toHaveLength(3);
  });

  it("may take long while they report progress, but not for ever", async () => {
    mcp.tools = ["slow"];
    const clock = createManualClock();
    let stream: CallStream | undefined;
    mcp.beforeResult = (_, its) => {
      stream = its;
      return new Promise(() => undefined);
    };
    let progressed = 0;
    const openTools = async (signal: AbortSignal): Promise<OpenTools> => {
      const opened = await tools.open(signal);
      return { ...opened, tools: counting(opened.tools, () => (progressed += 1)) };
    };
    const answer = ask({ model: calling("slow", { openTools, clock }), question: "go" }, { toolMs: 60_000 });
    await eventually(async () => expect(stream).toBeDefined());
    for (let n = 1; n <= 10; n += 1) {
      await clock.advance(50_000);
      stream?.progress();
      await eventually(async () => expect(progressed).toBe(n));
    }
    await clock.advance(50_000);
    const [part] = partsOfAnswer((await answer).events);
    expect(part).toMatchObject({ isError: true, result: "The tool did not answer within 540 seconds." });
  });
});

/** The tools, which report when the model has taken one of their preliminary results. */
function counting(all: ToolSet, onTaken: () => void): ToolSet {
  const counted = Object.entries(all).map(([name, tool]) => {
    async function* execute(...args: Parameters<NonNullable<typeof tool.execute>>) {
      const results: unknown = tool.execute?.(...args);
      for await (const each of results as AsyncIterable<unknown>) {
        yield each;
        onTaken();
      }
    }
    return [name, { ...tool, execute }] as const;
  });
  return Object.fromEntries(counted) as ToolSet;
}
