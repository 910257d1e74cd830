import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { createMcpTools } from "./mcp-tools.ts";
import { runTool, startMcpServer } from "./staged-mcp-server.contract.ts";

const stops: (() => Promise<unknown>)[] = [];
const twenty = Array.from({ length: 20 }, (_, n) => `t${n}`);

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Servers whose tools have these names, with a pool of them. */
async function connect(names: Readonly<Record<string, readonly string[]>>) {
  const clock = createManualClock();
  const servers = await Promise.all(
    Object.entries(names).map(async ([name, tools]) => [name, await startMcpServer(tools)] as const),
  );
  const tools = createMcpTools({
    servers: Object.fromEntries(servers.map(([name, { url }]) => [name, { type: "http", url }])),
    onError: () => undefined,
    // No test waits for it: on a busy machine even a healthy server may take long.
    connectTimeoutMs: 3_600_000,
    clock,
  });
  stops.push(
    () => tools.close(),
    ...servers.map(
      ([, server]) =>
        () =>
          server.stop(),
    ),
  );
  return { clock, servers: Object.fromEntries(servers), open: () => tools.open(new AbortController().signal) };
}

describe("a server with 20 calls in flight", () => {
  it("fails each of them once when it dies, and has run each once", async () => {
    const { servers, open, clock } = await connect({ shop: twenty });
    const shop = servers["shop"];
    const { tools } = await open();
    const never = Promise.withResolvers<undefined>();
    if (shop) shop.beforeResult = () => never.promise;
    const results = Promise.allSettled(twenty.map((name) => runTool(tools, name)));
    await eventually(async () => expect(shop?.ran).toHaveLength(20));
    shop?.breakOff();
    expect(new Set((await results).map(({ status }) => status))).toEqual(new Set(["rejected"]));
    if (shop) shop.beforeResult = async () => undefined;
    await eventually(async () => {
      await clock.advance(30_000);
      expect((await open()).missing).toEqual([]);
    });
    expect(await runTool((await open()).tools, "t0")).toBe("t0 is done");
    expect(shop?.ran.toSorted()).toEqual([...twenty, "t0"].toSorted());
  });

  it("gives each its result when it restarts, both calls that it has run and calls that it did not know", async () => {
    const { servers, open } = await connect({ shop: [...twenty, ...twenty.map((name) => `${name}-late`)] });
    const shop = servers["shop"];
    const { tools } = await open();
    const running = Promise.withResolvers<undefined>();
    if (shop) shop.beforeResult = async (name) => (name.endsWith("-late") ? undefined : running.promise);
    const early = twenty.map((name) => runTool(tools, name));
    await eventually(async () => expect(shop?.ran).toHaveLength(20));
    shop?.restart();
    const late = await Promise.all(twenty.map((name) => runTool(tools, `${name}-late`)));
    running.resolve(undefined);
    expect(late).toEqual(twenty.map((name) => `${name}-late is done`));
    expect(await Promise.all(early)).toEqual(twenty.map((name) => `${name} is done`));
    expect(new Set(shop?.ran).size).toBe(40);
    expect(shop?.ran).toHaveLength(40);
    expect(shop?.asked.filter((method) => method === "initialize")).toHaveLength(2);
  });
});

it("Two servers with tools of one name, each of which is unavailable for a while, keep their tools' names and origins", async () => {
  const { servers, open, clock } = await connect({ shop: ["search"], docs: ["search"] });
  const seen: (readonly string[])[] = [];
  const look = async () => {
    const { tools, missing = [] } = await open();
    const named = Object.entries(tools).map(
      ([name, { metadata }]) => `${name} of ${(metadata as { readonly server: string }).server}`,
    );
    seen.push(named);
    return missing;
  };
  expect(await look()).toEqual([]);
  for (const away of ["shop", "docs"]) {
    const server = servers[away];
    if (server) server.isAway = true;
    server?.announceChange();
    server?.breakOff();
    await eventually(async () => expect(await look()).toEqual([away]));
    if (server) server.isAway = false;
    await eventually(async () => {
      await clock.advance(30_000);
      expect(await look()).toEqual([]);
    });
  }
  expect(new Set(seen.flat())).toEqual(new Set(["shop_search of shop", "docs_search of docs"]));
});

it("A list ends when its patience does, with the servers that have answered by then", async () => {
  const servers = { a: ["b_c"], a_b: ["c"], hanging: [] };
  const started = await Promise.all(
    Object.entries(servers).map(async ([name, tools]) => [name, await startMcpServer(tools)] as const),
  );
  const patience = new AbortController();
  const answered: string[] = [];
  const tools = createMcpTools({
    servers: Object.fromEntries(started.map(([name, { url }]) => [name, { type: "http", url }])),
    onError: (server) => expect(server).toBe("a_b"),
    onListed: (server) => {
      answered.push(server);
      if (answered.length === 2) patience.abort();
    },
    connectTimeoutMs: 3_600_000,
  });
  stops.push(
    () => tools.close(),
    ...started.map(
      ([, server]) =>
        () =>
          server.stop(),
    ),
  );
  for (const [name, server] of started) if (name === "hanging") server.hangs = "always";
  await expect(tools.list(patience.signal)).rejects.toThrow("rename one of the two servers");
  expect(answered.toSorted()).toEqual(["a", "a_b"]);
});
