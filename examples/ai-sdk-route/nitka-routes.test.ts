import { createUIMessageStream, createUIMessageStreamResponse } from "ai";
import { expect, it } from "vitest";
import { createNitkaRoutes } from "./nitka-routes.ts";

/** Requests to the operations, in front of a route that answers with one word. */
function start() {
  const handle = createNitkaRoutes(async () =>
    createUIMessageStreamResponse({
      stream: createUIMessageStream({
        execute: ({ writer }) => {
          for (const chunk of [
            { type: "text-start", id: "t" },
            { type: "text-delta", id: "t", delta: "Да" },
            { type: "text-end", id: "t" },
          ] as const)
            writer.write(chunk);
        },
      }),
    }),
  );
  return (path: string, body?: string) =>
    handle(new Request(`http://shop.test/nitka/api/debug/${path}`, body === undefined ? {} : { method: "POST", body }));
}

it("an answer is streamed under the id that the history has", async () => {
  const send = start();
  const { threadId } = (await (await send("threads", "{}")).json()) as { readonly threadId: string };
  const question = { id: "q1", role: "user", content: "Готово?" };
  const stream = await send(`threads/${threadId}/run/stream`, JSON.stringify({ messages: [question] }));
  const [, messageId] = /^data: \{"type":"start","messageId":"([^"]+)"\}\n/.exec(await stream.text()) ?? [];
  const history = await (await send(`threads/${threadId}/messages`)).json();
  expect(history).toEqual([
    question,
    { id: messageId, role: "assistant", content: [{ type: "text", text: "Да" }], status: { type: "complete" } },
  ]);
});

it("what has arrived is kept when the visitor closes the connection", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const handle = createNitkaRoutes(async () => new Response(readable));
  const send = (path: string, body?: string) =>
    handle(new Request(`http://shop.test/api/debug/${path}`, body === undefined ? {} : { method: "POST", body }));
  const { threadId } = (await (await send("threads", "{}")).json()) as { readonly threadId: string };
  const messages = [{ id: "q1", role: "user", content: "Готово?" }];
  const { body } = await send(`threads/${threadId}/run/stream`, JSON.stringify({ messages }));
  const reader = body?.getReader();
  await reader?.read();
  void writable.getWriter().write(new TextEncoder().encode('data: {"type":"text-delta","delta":"Да"}\n\n'));
  await reader?.read();
  await reader?.cancel();
  const [, answer] = (await (await send(`threads/${threadId}/messages`)).json()) as readonly unknown[];
  expect(answer).toMatchObject({
    content: [{ type: "text", text: "Да" }],
    status: { type: "incomplete", reason: "interrupted" },
  });
});

it.each([
  ["run/stream", '{"messages":', 400],
  ["run/stream", '{"messages":[]}', 422],
  ["run/stream", '{"messages":[{"id":"q1","role":"user","content":"?","parentId":"none"}]}', 422],
  ["rename", "<title>", 400],
  ["no-such-operation", "{}", 404],
])("%s with %s responds with %d", async (operation, body, status) => {
  const send = start();
  const { threadId } = (await (await send("threads", "{}")).json()) as { readonly threadId: string };
  expect((await send(`threads/${threadId}/${operation}`, body)).status).toBe(status);
});
