import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import { createMcpTools } from "./mcp-tools.ts";
import { connectMcpServer, runTool, startMcpServer } from "./staged-mcp-server.contract.ts";

async function connect(...names: readonly string[]) {
  const { mcp, open, errors } = await connectMcpServer(names);
  const count = (method: string) => mcp.asked.filter((each) => each === method).length;
  return { mcp, open, count, errors };
}

/** A promise with its resolver. */
function gate() {
  return Promise.withResolvers<undefined>();
}

describe("a tool call", () => {
  it.each([-32_001, -32_000, -32_603])("runs once when the server answers it with the error %i", async (code) => {
    const { mcp, open, count } = await connect("pay");
    mcp.beforeResult = async () => ({ code, message: "Request timed out" });
    await expect(runTool(await open(), "pay")).rejects.toThrow("Request timed out");
    expect([mcp.ran, count("tools/call"), count("initialize")]).toEqual([["pay"], 1, 1]);
  });

  it("runs once when the connection breaks before its result", async () => {
    const { mcp, open } = await connect("pay");
    const tools = await open();
    mcp.beforeResult = async () => {
      await mcp.stop();
      return undefined;
    };
    await expect(runTool(tools, "pay")).rejects.toThrow("could not be reached");
    expect(mcp.ran).toEqual(["pay"]);
  });

  it.each([false, true])(
    "fails soon, and runs once, when its event stream ends without a response (progress before: %s)",
    async (isAtWork) => {
      const { mcp, open, errors } = await connect("pay", "search");
      const tools = await open();
      mcp.beforeResult = async (name, stream) => {
        if (name !== "pay") return;
        if (isAtWork) stream.progress();
        stream.end();
      };
      await expect(runTool(tools, "pay")).rejects.toThrow("could not be reached");
      expect([mcp.ran, errors.length]).toEqual([["pay"], 1]);
      expect(await runTool(await open(), "search")).toBe("search is done");
    },
  );

  it.each([false, true])(
    "is sent again when the server did not know its session, and runs once (with an error in the 404: %s)",
    async (explains404) => {
      const { mcp, open, count } = await connect("pay");
      const tools = await open();
      mcp.explains404 = explains404;
      mcp.restart();
      expect(await runTool(tools, "pay")).toBe("pay is done");
      expect([mcp.ran, count("tools/call"), count("initialize")]).toEqual([["pay"], 2, 2]);
    },
  );

  it("gets its result although another call has found that the session is gone", async () => {
    const { mcp, open, count, errors } = await connect("slow", "quick");
    const tools = await open();
    const slow = gate();
    mcp.beforeResult = async (name) => (name === "slow" ? slow.promise : undefined);
    const slowResult = runTool(tools, "slow");
    await eventually(async () => expect(mcp.ran).toEqual(["slow"]));
    mcp.restart();
    expect(await runTool(tools, "quick")).toBe("quick is done");
    await eventually(async () => expect(mcp.listeners).toBe(2));
    slow.resolve(undefined);
    expect(await slowResult).toBe("slow is done");
    expect([mcp.ran, count("initialize"), errors]).toEqual([["slow", "quick"], 2, []]);
    await eventually(async () => expect(mcp.listeners).toBe(1));
  });

  it("shares one new session with all calls that found the old one gone", async () => {
    const { mcp, open, count } = await connect("a", "b", "c");
    const tools = await open();
    mcp.restart();
    expect(await Promise.all(["a", "b", "c"].map((name) => runTool(tools, name)))).toEqual([
      "a is done",
      "b is done",
      "c is done",
    ]);
    expect([mcp.ran.toSorted(), count("initialize")]).toEqual([["a", "b", "c"], 2]);
  });
});

describe("the list of tools", () => {
  const ofServer = (method: string) => JSON.stringify({ jsonrpc: "2.0", method, params: { progress: 1 } });

  it("is not read again because of progress, log lines and other notifications", async () => {
    const { mcp, open, count } = await connect("pay");
    await open();
    await eventually(async () => expect(count("listen")).toBe(1));
    for (const method of ["notifications/progress", "notifications/message", "notifications/prompts/list_changed"]) {
      mcp.notify(ofServer(method));
      expect(await runTool(await open(), "pay")).toBe("pay is done");
    }
    mcp.tools = ["pay", "refund"];
    mcp.announceChange();
    await eventually(async () => expect(Object.keys(await open())).toEqual(["pay", "refund"]));
    expect(count("tools/list")).toBe(2);
  });

  it.each([
    ["in one chunk", ['{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}']],
    ["cut in two", ['{"jsonrpc":"2.0","method":"notifications/to', 'ols/list_changed"}']],
    ["with escaped slashes", [String.raw`{"jsonrpc":"2.0","method":"notifications\/tools\/list_changed"}`]],
  ])("is read again after its notification, %s", async (_, chunks) => {
    const { mcp, open, count } = await connect("pay");
    await open();
    await eventually(async () => expect(count("listen")).toBe(1));
    mcp.tools = ["refund"];
    mcp.notify(...chunks);
    await eventually(async () => expect(Object.keys(await open())).toEqual(["refund"]));
  });
});

describe("the names of the tools", () => {
  it("are known before the first run, and requested once", async () => {
    const mcp = await startMcpServer(["pay"]);
    const tools = createMcpTools({ servers: { shop: { type: "http", url: mcp.url } }, onError: () => undefined });
    onTestFinished(async () => {
      await tools.close();
      await mcp.stop();
    });
    expect(await Promise.all([tools.names(), tools.names()])).toEqual([["pay"], ["pay"]]);
    await tools.open(new AbortController().signal);
    expect(await tools.names()).toEqual(["pay"]);
    expect(mcp.asked.filter((each) => each === "tools/list")).toHaveLength(1);
  });

  it("are unknown for a server that is down, which is waited for once", async () => {
    const errors: string[] = [];
    const servers = { gone: { type: "http", url: "http://127.0.0.1:9/mcp" } } as const;
    const tools = createMcpTools({ servers, onError: (server) => errors.push(server) });
    onTestFinished(() => tools.close());
    expect([await tools.names(), await tools.names(), errors]).toEqual([[], [], ["gone"]]);
  });
});
