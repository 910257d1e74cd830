import { LLMock } from "@copilotkit/aimock";
import { SignJWT, decodeJwt } from "jose";
import { afterEach, expect, it } from "vitest";
import type { Thread } from "@nitka/protocol";
import { eventsOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { createMcpTools } from "../model/mcp/mcp-tools.ts";
import { startMcpServer } from "../model/mcp/staged-mcp-server.contract.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";

const { openThread } = threadOpener();
const secret = "the shop's and the server's of tools";
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

it("A tool server learns which visitor asked in which thread; its token is not a credential for the chat", async () => {
  const mcp = await startMcpServer(["stock"]);
  stops.push(() => mcp.stop());
  const upstream = new LLMock({ port: 0 });
  upstream.on({ hasToolResult: true }, { content: "Есть" });
  upstream.on({ predicate: () => true }, { toolCalls: [{ id: "c1", name: "stock", arguments: "{}" }] });
  await upstream.start();
  stops.push(() => upstream.stop());
  const tools = createMcpTools({
    servers: { shop: { type: "http", url: mcp.url, identify: true } },
    onError: () => undefined,
    secret,
  });
  stops.push(() => tools.close());
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url, openTools: tools.open });
  const { client, threadId, server } = await openThread({ model, project: { secret } });
  await eventsOf(await client.ask(threadId, { id: "q1" }));

  const token = await new SignJWT({ sub: "7", plan: "pro", iss: "shop", exp: 4_000_000_000 })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(secret));
  const headers = { authorization: `Bearer ${token}` };
  const { threadId: own } = (await (await client.post("threads", {}, { headers })).json()) as Thread;
  const message = { id: "q1", role: "user", content: "Есть чашки?" };
  await eventsOf(await client.post(`threads/${own}/run/stream`, { messages: [message] }, { headers }));

  const times = { aud: "shop", jti: "c1", iat: expect.any(Number), exp: expect.any(Number) };
  const anonymousId = client.cookie?.split("=")[1]?.split(".")[0];
  expect(mcp.visitors.map((visitor) => decodeJwt(visitor))).toEqual([
    { sub: anonymousId, anonymous: true, project: "default", thread: threadId, ...times },
    { sub: "7", plan: "pro", project: "default", thread: own, ...times },
  ]);
  const bearer = { authorization: `Bearer ${mcp.visitors[1]}` };
  const refused = await server.fetch(new Request("http://nitka.test/api/debug/threads", { headers: bearer }));
  expect([refused.status, await refused.text()]).toEqual([
    401,
    expect.stringContaining("this server signed it for an MCP server"),
  ]);
});
