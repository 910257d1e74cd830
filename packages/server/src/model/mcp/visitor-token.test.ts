import { jwtVerify } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import type { VisitorIdentity } from "../model.ts";
import { createMcpTools } from "./mcp-tools.ts";
import { resultOf, startMcpServer } from "./staged-mcp-server.contract.ts";

const secret = "the shop's and the server's of tools";
const now = new Date("2026-11-21T12:00:00.000Z");
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const anna: VisitorIdentity = {
  sub: "7",
  anonymous: false,
  project: "shop",
  thread: "t1",
  claims: { name: "Анна", plan: "pro", project: "forged", anonymous: true, exp: 1 },
};
const unnamed: VisitorIdentity = { sub: "v2", anonymous: true, project: "shop", thread: "t2", claims: {} };

async function connect(identify = true) {
  const mcp = await startMcpServer(["stock"]);
  stops.push(() => mcp.stop());
  const tools = createMcpTools({
    servers: { shop: { type: "http", url: mcp.url, identify } },
    onError: (_, error) => {
      throw error;
    },
    secret,
    now: () => now,
  });
  stops.push(() => tools.close());
  const call = async (visitor?: VisitorIdentity) => {
    const opened = await tools.open(new AbortController().signal, { asker: visitor });
    const options = { toolCallId: "1", messages: [], context: {} } as never;
    return resultOf(opened.tools["stock"]?.execute?.({} as never, options));
  };
  return { mcp, call };
}

function payloadOf(token: string | undefined) {
  return jwtVerify(token ?? "", new TextEncoder().encode(secret), { currentDate: now });
}

describe("a server of tools that is to know the visitors", () => {
  it("gets a token of the visitor with each tool call, valid for five minutes", async () => {
    const { mcp, call } = await connect();
    expect(await call(anna)).toBe("stock is done");
    const [token] = mcp.visitors;
    const iat = now.getTime() / 1000;
    expect(await payloadOf(token)).toMatchObject({
      protectedHeader: { alg: "HS256" },
      payload: { sub: "7", project: "shop", thread: "t1", name: "Анна", plan: "pro", aud: "shop", jti: "1", iat },
    });
    expect((await payloadOf(token)).payload).not.toHaveProperty("anonymous");
    await call(unnamed);
    expect((await payloadOf(mcp.visitors[1])).payload).toEqual({
      sub: "v2",
      anonymous: true,
      project: "shop",
      thread: "t2",
      aud: "shop",
      jti: "1",
      iat,
      exp: iat + 300,
    });
  });

  it("gets the right visitor with each of many concurrent calls, over one connection", async () => {
    const { mcp, call } = await connect();
    const threads = Array.from({ length: 12 }, (_, index) => `t${index}`);
    await Promise.all(threads.map((thread) => call({ ...unnamed, thread })));
    const payloads = await Promise.all(mcp.visitors.map(payloadOf));
    expect(payloads.map(({ payload }) => String(payload["thread"])).toSorted()).toEqual(threads.toSorted());
    expect(mcp.asked.filter((each) => each === "initialize")).toHaveLength(1);
  });

  it("gets no visitor with requests that serve all of them, also when a call has to reconnect", async () => {
    const { mcp, call } = await connect();
    await call(anna);
    mcp.restart();
    expect(await call(unnamed)).toBe("stock is done");
    const named = mcp.asked.map((method, index) => [method, mcp.visitorOf[index] !== undefined]);
    expect(named.filter(([, isNamed]) => isNamed).map(([method]) => method)).toEqual([
      "tools/call",
      "tools/call",
      "tools/call",
    ]);
    expect(mcp.asked.filter((each) => each === "initialize")).toHaveLength(2);
    expect((await payloadOf(mcp.visitors.at(-1))).payload.sub).toBe("v2");
  });

  it("gets no token when it is not to know the visitors, or when there is no visitor", async () => {
    const silent = await connect(false);
    await silent.call(anna);
    const { mcp, call } = await connect();
    await call();
    expect([silent.mcp.visitors, mcp.visitors]).toEqual([[], []]);
  });

  it("signs for each server with its own secret and name, so that no server can act at another one", async () => {
    const [first, second] = [await startMcpServer(["stock"]), await startMcpServer(["prices"])];
    stops.push(
      () => first.stop(),
      () => second.stop(),
    );
    const own = "a secret of the second server's own";
    const tools = createMcpTools({
      servers: {
        shop: { type: "http", url: first.url, identify: true },
        docs: { type: "http", url: second.url, identify: true, secret: own },
      },
      onError: (_, error) => {
        throw error;
      },
      secret,
      now: () => now,
    });
    stops.push(() => tools.close());
    const opened = await tools.open(new AbortController().signal, { asker: anna });
    for (const [name, tool] of Object.entries(opened.tools)) {
      const options = { toolCallId: `call of ${name}`, messages: [], context: {} } as never;
      await resultOf(tool.execute?.({} as never, options));
    }
    const verified = (token: string | undefined, key: string) =>
      jwtVerify(token ?? "", new TextEncoder().encode(key), { currentDate: now });
    const { payload } = await verified(second.visitors[0], own);
    expect(payload).toMatchObject({ aud: "docs", jti: "call of docs_prices", sub: "7" });
    await expect(verified(second.visitors[0], secret)).rejects.toThrow("signature verification failed");
    expect((await verified(first.visitors[0], secret)).payload).toMatchObject({
      aud: "shop",
      jti: "call of shop_stock",
    });
  });

  it("requires a secret", () => {
    const servers = { shop: { type: "http", url: "http://127.0.0.1:9/mcp", identify: true } } as const;
    expect(() => createMcpTools({ servers, onError: () => undefined })).toThrow(
      new TypeError("servers.shop.identify is true: give the secret that signs the visitors' tokens."),
    );
  });
});
