import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import { connectMcpServer, runTool } from "./staged-mcp-server.contract.ts";

const TOO_LARGE = "The tool's server sent a message of more than 16 MB";
/** The limit, plus the buffers of the sockets on both sides. */
const READ_AND_HELD_BYTES = 40_000_000;

async function connect(...names: readonly string[]) {
  const { mcp, open, errors } = await connectMcpServer(names);
  const answerWith = (bytes: number) => {
    mcp.resultOf = (tool) => ({ content: [{ type: "text", text: tool === "huge" ? "x".repeat(bytes) : "small" }] });
  };
  return { mcp, open, answerWith, errors };
}

const kinds = [
  ["JSON", { streams: false, compresses: false }],
  ["compressed JSON", { streams: false, compresses: true }],
  ["an event", { streams: true, compresses: false }],
] as const;

describe.each(kinds)("a message as %s", (_, kind) => {
  it("only fails its call when it has 17 MB, with a sentence that contains the limit", async () => {
    const { mcp, open, answerWith, errors } = await connect("huge", "slow", "quick");
    const tools = await open();
    Object.assign(mcp, kind);
    answerWith(17_000_000);
    const slow = Promise.withResolvers<undefined>();
    mcp.beforeResult = (name) => (name === "slow" ? slow.promise : Promise.resolve(undefined));
    const slowResult = runTool(tools, "slow");
    await eventually(() => expect(mcp.ran).toEqual(["slow"]));
    await expect(runTool(tools, "huge")).rejects.toThrow(TOO_LARGE);
    expect(await runTool(tools, "quick")).toBe("small");
    expect(await runTool(await open(), "quick")).toBe("small");
    slow.resolve(undefined);
    expect(await slowResult).toBe("small");
    expect(mcp.ran).toEqual(["slow", "huge", "quick", "quick"]);
    expect(mcp.asked.filter((method) => method === "initialize")).toHaveLength(1);
    expect(errors.map((error) => [String(error), String((error as Error).cause)])).toEqual([
      ["Error: A call of the tool huge failed on the way", `MessageTooLargeError: ${TOO_LARGE}`],
    ]);
  });

  it("is a result when it has 15 MB", async () => {
    const { mcp, open, answerWith } = await connect("huge");
    const tools = await open();
    Object.assign(mcp, kind);
    answerWith(15_000_000);
    expect(await runTool(tools, "huge")).toHaveLength(15_000_000);
  });

  it("marks the server as down, for this reason, when it is a list of 17 MB", async () => {
    const { mcp, open, errors } = await connect("search");
    Object.assign(mcp, kind);
    mcp.marks = { search: { description: "x".repeat(17_000_000) } };
    expect(await open()).toEqual({});
    expect(errors.map(String)).toEqual([`MessageTooLargeError: ${TOO_LARGE}`]);
  });
});

const line = "x".repeat(50_000);

it.each([
  ["JSON without a line end", line, "application/json"],
  ["an event without a line end", line, "text/event-stream"],
  ["an event without an empty line", `${line}\n`, "text/event-stream"],
  ["what is both JSON and events", `${line}\n\n`, "application/json; text/event-stream"],
])("a message that does not end is read up to the limit: %s", async (_, piece, contentType) => {
  const { mcp, open } = await connect("huge");
  const tools = await open();
  const flood = Promise.withResolvers<number>();
  mcp.beforeResult = async (_name, stream) => flood.resolve(await stream.flood(piece, contentType));
  await expect(runTool(tools, "huge")).rejects.toThrow(TOO_LARGE);
  expect(await flood.promise).toBeLessThan(READ_AND_HELD_BYTES);
});

it("A failure whose event stream of explanations does not end is read up to the limit", async () => {
  const { mcp, open } = await connect("huge");
  const tools = await open();
  const flood = Promise.withResolvers<number>();
  mcp.beforeResult = async (_, stream) => flood.resolve(await stream.flood(`${line}\n\n`, "text/event-stream", 403));
  await expect(runTool(tools, "huge")).rejects.toThrow("could not be reached");
  expect(await flood.promise).toBeLessThan(READ_AND_HELD_BYTES);
});

it.each([
  ["LF", "\n"],
  ["CR LF", "\r\n"],
  ["CR", "\r"],
])("events with lines that end with %s may have more than 16 MB together", async (_, lineEnd) => {
  const { mcp, open } = await connect("search");
  const tools = await open();
  mcp.beforeResult = async (_name, stream) => {
    for (let sent = 0; sent < 20; sent += 1) stream.log("x".repeat(1_000_000), lineEnd);
  };
  expect(await runTool(tools, "search")).toBe("search is done");
});

it("A notification of 17 MB ends the stream of notifications, which is opened once more, and ends no call", async () => {
  const { mcp, open, errors } = await connect("slow");
  const tools = await open();
  await eventually(() => expect(mcp.listeners).toBe(1));
  const slow = Promise.withResolvers<undefined>();
  mcp.beforeResult = () => slow.promise;
  const result = runTool(tools, "slow");
  await eventually(() => expect(mcp.ran).toEqual(["slow"]));
  const listened = () => mcp.asked.filter((method) => method === "listen").length;
  mcp.notify("x".repeat(17_000_000));
  await eventually(() => expect([listened(), mcp.listeners]).toEqual([2, 1]));
  mcp.notify("x".repeat(17_000_000));
  await eventually(() => expect(mcp.listeners).toBe(0));
  // The client would open the next stream after a second.
  await sleep(1_500);
  expect(listened()).toBe(2);
  slow.resolve(undefined);
  expect(await result).toBe("slow is done");
  expect(errors).toEqual([]);
});
