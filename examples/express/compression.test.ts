import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createChatServer } from "@nitka/server";
import type { ChatServer, Model } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";
import compression from "compression";
import express from "express";
import { afterEach, expect, it } from "vitest";

const WORDS = ["Привет", ", это ", "ответ ".repeat(300), "по слову", " и целиком"];

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

/** An application that compresses its responses, with a model that sends its next word when the test says so. */
async function openCompressing(options: Parameters<typeof compression>[0]) {
  const turns = WORDS.map(() => Promise.withResolvers<void>());
  const model: Model = {
    id: "word-by-word",
    name: "Word by word",
    title: async () => "Слова",
    async *run() {
      yield { type: "text-start", id: "t" };
      for (const [index, delta] of WORDS.entries()) {
        await turns[index]?.promise;
        yield { type: "text-delta", id: "t", delta };
      }
      yield { type: "text-end", id: "t" };
      return {};
    },
  };
  const storage = await openSqliteStorage({ path: ":memory:" });
  const chat: ChatServer = createChatServer({
    storage,
    secret: "a secret of sixteen letters",
    projects: { default: { models: [model] } },
  });
  const application = express();
  application.use(compression(options));
  const answer = getRequestListener(chat.fetch, { overrideGlobalObjects: false });
  application.use("/chat", (request, response) => void answer(request, response));
  const server = application.listen(0);
  await once(server, "listening");
  closes.push(
    () => server.closeAllConnections(),
    () => server.close(),
    () => chat.close(),
    () => storage.close(),
  );
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat/api/debug`;
  const config = await fetch(`${base.replace("/debug", "")}/projects/default/config`);
  const cookie = config.headers.get("set-cookie")?.split(";")[0] ?? "";
  const headers = { cookie, "content-type": "application/json" };
  const post = (path: string, body: unknown) =>
    fetch(`${base}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return {
    post,
    get: (path: string) => fetch(`${base}/${path}`, { headers }),
    say: (n: number) => turns[n]?.resolve(),
  };
}

it.each([
  ["as it comes", {}],
  ["with no threshold", { threshold: 0 }],
  ["for every type", { threshold: 0, filter: () => true }],
])("behind compression(), %s, an answer comes delta by delta, and histories can be read", async (_, options) => {
  const { post, get, say } = await openCompressing(options);
  const { threadId } = (await (await post("threads", {})).json()) as { readonly threadId: string };
  const question = { messages: [{ id: "q1", role: "user", content: "Скажи" }] };
  const response = await post(`threads/${threadId}/run/stream`, question);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  // The next word is sent when the previous one has arrived.
  for (const [index, word] of WORDS.entries()) {
    say(index);
    while (!text.includes(JSON.stringify(word).slice(1, -1))) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) throw new Error(`The stream ended before «${word}»`);
      text += value;
    }
  }
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) text += next.value;
  const deltas = [...text.matchAll(/"type":"text-delta","id":"t","delta":("[^"]*")/g)];
  expect(deltas.map(([, delta]) => JSON.parse(delta ?? '""') as string).join("")).toBe(WORDS.join(""));
  expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
  const listed = await get(`threads/${threadId}/messages`);
  expect(await listed.text()).toContain(WORDS.slice(0, 3).join(""));
});
