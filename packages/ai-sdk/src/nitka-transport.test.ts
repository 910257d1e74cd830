import type { UIMessage } from "ai";
import { afterEach, expect, it, vi } from "vitest";
import { createNitkaTransport } from "./nitka-transport.ts";

afterEach(() => vi.unstubAllGlobals());

type Send = Parameters<ReturnType<typeof createNitkaTransport>["sendMessages"]>[0];

it("the transport gives an edited question a new id, which a regeneration reuses", async () => {
  const bodies: { readonly messages: readonly { readonly id: string; readonly parentId: string | null }[] }[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { readonly body: string }) => {
    bodies.push(JSON.parse(body) as (typeof bodies)[number]);
    return new Response("data: [DONE]\n\n");
  });
  const transport = createNitkaTransport("http://nitka.test/api/debug/threads");
  const message = (id: string, role: "user" | "assistant"): UIMessage => ({ id, role, parts: [] });
  const history = [message("q1", "user"), message("a1", "assistant"), message("q2", "user")];
  const send = (trigger: Send["trigger"], messageId?: string) =>
    transport.sendMessages({ chatId: "t1", messages: history, trigger, messageId, abortSignal: undefined });
  await send("submit-message");
  await send("submit-message", "q2");
  await send("regenerate-message", "a2");
  const questions = bodies.map(({ messages }) => messages[0]);
  expect(questions.map((question) => question?.parentId)).toEqual(["a1", "a1", "a1"]);
  const [asked, edited, again] = questions.map((question) => question?.id);
  expect(asked).toBe("q2");
  expect(edited).not.toBe("q2");
  expect(again).toBe(edited);
});

it("the transport claims a call of a page's tool, runs it and answers it, through the host's own fetch", async () => {
  const sent: (readonly [path: string, body: unknown])[] = [];
  const request = { toolCallId: "c1", toolName: "cart_add", input: { sku: "mug" } };
  const event = `data: ${JSON.stringify({ type: "data-tool-request", data: request, transient: true })}\n\n`;
  const host = async (url: string, { body }: { readonly body: string }) => {
    const path = url.replace("/api/debug/threads/t1/run/", "");
    sent.push([path, path === "stream" ? undefined : JSON.parse(body)]);
    return new Response(path === "stream" ? `${event}data: [DONE]\n\n` : "{}");
  };
  const tools = {
    cart_add: {
      description: "Adds to the cart",
      parameters: { type: "object" },
      execute: (input: unknown) => ({ added: input }),
    },
  };
  const transport = createNitkaTransport("/api/debug/threads", tools, { fetch: host as typeof fetch });
  const messages: UIMessage[] = [{ id: "q1", role: "user", parts: [] }];
  const options = { chatId: "t1", messages, messageId: undefined, abortSignal: undefined };
  await (await transport.sendMessages({ trigger: "submit-message", ...options })).pipeTo(new WritableStream());
  await expect.poll(() => sent.length).toBe(3);
  await transport.approve("t1", "c2", false);
  await transport.cancel("t1");
  expect(sent).toEqual([
    ["stream", undefined],
    ["tool", { toolCallId: "c1", claim: expect.any(String) as unknown }],
    ["tool", { toolCallId: "c1", output: { added: { sku: "mug" } } }],
    ["tool", { toolCallId: "c2", approved: false }],
    ["cancel", {}],
  ]);
});

it("the transport reports the result of a page's tool, and the claim before it, once, even over a network that fails temporarily", async () => {
  const event = { type: "data-tool-request", data: { toolCallId: "c1", toolName: "pay", input: {} }, transient: true };
  const sent: unknown[] = [];
  const failures = [new TypeError("Failed to fetch"), 503];
  const host = async (url: string, { body }: { readonly body: string }) => {
    if (url.endsWith("/stream")) return new Response(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
    sent.push(JSON.parse(body));
    const failure = sent.length % 2 === 1 ? failures.shift() : undefined;
    if (failure instanceof Error) throw failure;
    return new Response("{}", { status: failure ?? 200 });
  };
  let runs = 0;
  const pay = { description: "Pays", parameters: { type: "object" }, execute: () => (runs += 1) };
  const transport = createNitkaTransport("/api/debug/threads", { pay }, { fetch: host as typeof fetch });
  const messages: UIMessage[] = [{ id: "q1", role: "user", parts: [] }];
  const options = { chatId: "t1", messages, messageId: undefined, abortSignal: undefined };
  const send = async () => {
    const stream = await transport.sendMessages({ trigger: "submit-message", ...options });
    await stream.pipeTo(new WritableStream());
  };
  await send();
  // The page rejoins the stream meanwhile, which requests the tool again.
  await (await transport.reconnectToStream({ chatId: "t1" }))?.pipeTo(new WritableStream());
  await expect.poll(() => sent.length).toBe(4);
  const claim = { toolCallId: "c1", claim: expect.any(String) as unknown };
  const answer = { toolCallId: "c1", output: 1 };
  expect(sent).toEqual([claim, claim, answer, answer]);
  expect(runs).toBe(1);
  // A later answer may reuse the call's id.
  await send();
  await expect.poll(() => runs).toBe(2);
});
