import { LLMock } from "@copilotkit/aimock";
import { SignJWT, jwtVerify } from "jose";
import { afterEach, expect, it } from "vitest";
import type { Thread } from "@nitka/protocol";
import { eventsOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import { eventually } from "../test-waits/eventually.contract.ts";

const { openThread } = threadOpener();
const secret = "the shop's and the service's of models";
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function startUpstream() {
  const upstream = new LLMock({ port: 0 });
  upstream.on({ predicate: () => true }, { content: "Есть" });
  await upstream.start();
  stops.push(() => upstream.stop());
  return upstream;
}

it("The service of a model gets the visitor and the thread with each request: for an answer, a title, suggestions", async () => {
  const upstream = await startUpstream();
  const seen: { readonly visitor: string | null; readonly thread: string | null }[] = [];
  const watched: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    seen.push({ visitor: headers.get("x-nitka-visitor"), thread: headers.get("x-nitka-thread") });
    return fetch(input, init);
  };
  const identify = { server: "own", secret };
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url, identify, fetch: watched });
  const { client } = await openThread({ model, project: { secret, followUps: true } });
  const token = await new SignJWT({ sub: "7", plan: "pro", exp: 4_000_000_000 })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(secret));
  const headers = { authorization: `Bearer ${token}` };
  const { threadId } = (await (await client.post("threads", {}, { headers })).json()) as Thread;
  const message = { id: "q1", role: "user", content: "Есть чашки?" };
  await eventsOf(await client.post(`threads/${threadId}/run/stream`, { messages: [message] }, { headers }));
  await eventually(() => expect(seen).toHaveLength(3));
  const times = { iat: expect.any(Number) as unknown, exp: expect.any(Number) as unknown };
  const who = { sub: "7", plan: "pro", project: "default", thread: threadId, aud: "own", ...times };
  for (const { visitor, thread } of seen) {
    const { payload } = await jwtVerify(visitor ?? "", new TextEncoder().encode(secret));
    expect([payload, thread]).toEqual([who, threadId]);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
  }
});

it("The service of a model without identify gets neither", async () => {
  const upstream = await startUpstream();
  const names: string[] = [];
  const watched: typeof fetch = (input, init) => {
    names.push(...new Headers(init?.headers).keys());
    return fetch(input, init);
  };
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url, fetch: watched });
  const { client, threadId } = await openThread({ model });
  await eventsOf(await client.ask(threadId, { id: "q1" }));
  expect(names.filter((name) => name.startsWith("x-nitka"))).toEqual([]);
});
