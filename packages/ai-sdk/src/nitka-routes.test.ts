import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { runConformance } from "@nitka/conformance";
import { createUIMessageStream, createUIMessageStreamResponse } from "ai";
import type { UIMessageChunk } from "ai";
import { describe, expect, it } from "vitest";
import { createMemoryThreads } from "./memory-threads.ts";
import { createNitkaRoutes } from "./nitka-routes.ts";
import type { ChatRoute, NitkaRoutesOptions } from "./routes.ts";

const secret = "the secret of sixteen letters";
const question = { id: "q1", role: "user", content: "Готово?" };

/** A route that answers with one word. */
const answer: ChatRoute = () => {
  const chunks: readonly UIMessageChunk[] = [
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "Да" },
    { type: "text-end", id: "t" },
    { type: "finish" },
  ];
  const stream = createUIMessageStream({ execute: ({ writer }) => chunks.forEach((chunk) => writer.write(chunk)) });
  return createUIMessageStreamResponse({ stream });
};

/** A browser with its cookie, in front of the operations. */
function start(route = answer, options: Partial<NitkaRoutesOptions> = { secret }, origin = "http://shop.test") {
  const handle = createNitkaRoutes(route, { storage: createMemoryThreads(), ...options } as NitkaRoutesOptions);
  return { handle, visitor: () => newVisitor(handle, origin) };
}

function newVisitor(handle: (request: Request) => Promise<Response>, origin: string) {
  const headers = new Headers({ "content-type": "application/json" });
  const send = async (path: string, body?: unknown) => {
    const posted = { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) };
    const request = new Request(`${origin}/nitka/api/debug/${path}`, { headers, ...(body !== undefined && posted) });
    const response = await handle(request);
    const cookie = response.headers.get("set-cookie")?.split(";", 1)[0];
    if (cookie) headers.set("cookie", cookie);
    return response;
  };
  return {
    headers,
    send,
    json: async (path: string, body?: unknown): Promise<unknown> => (await send(path, body)).json(),
    newThread: async () => ((await (await send("threads", {})).json()) as { readonly threadId: string }).threadId,
  };
}

it("an answer is streamed under the id that the history has", async () => {
  const { send, json, newThread } = start().visitor();
  const threadId = await newThread();
  const stream = await send(`threads/${threadId}/run/stream`, { messages: [question] });
  const [, id] = /^data: \{"type":"start","messageId":"([^"]+)"\}\n/.exec(await stream.text()) ?? [];
  const createdAt = expect.any(String) as unknown;
  expect(await json(`threads/${threadId}/messages`)).toEqual([
    { ...question, parentId: null, createdAt },
    {
      id,
      role: "assistant",
      parentId: "q1",
      content: [{ type: "text", text: "Да" }],
      status: { type: "complete" },
      createdAt,
    },
  ]);
  expect(await json("threads")).toEqual([{ threadId, title: "Готово?", updatedAt: expect.any(String) as unknown }]);
});

it("the mount path may contain the path of an API itself", async () => {
  const { handle } = start();
  const config = await handle(new Request("http://shop.test/api/chat/api/projects/default/config"));
  expect(await config.json()).toEqual({ apiBase: "./" });
  const threads = await handle(new Request("http://shop.test/api/chat/api/debug/threads"));
  expect(await threads.json()).toEqual([]);
});

it("a title is stored as on our server: in one line, without surrounding whitespace", async () => {
  const { send, json, newThread } = start().visitor();
  const threadId = await newThread();
  expect((await send(`threads/${threadId}/rename`, { title: "  Мой\nчай " })).status).toBe(200);
  expect(await json("threads")).toMatchObject([{ title: "Мой чай" }]);
});

it("the received part is stored when the visitor closes the connection", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const route = () => new Response(readable, { headers: { "content-type": "text/event-stream" } });
  const { send, json, newThread } = start(route).visitor();
  const threadId = await newThread();
  const { body } = await send(`threads/${threadId}/run/stream`, { messages: [question] });
  const reader = body?.getReader();
  await reader?.read();
  await reader?.read();
  void writable.getWriter().write(new TextEncoder().encode('data: {"type":"text-delta","delta":"Да"}\n\n'));
  await reader?.read();
  await reader?.cancel();
  expect(await json(`threads/${threadId}/messages`)).toMatchObject([
    question,
    { content: [{ type: "text", text: "Да" }], status: { type: "incomplete", reason: "interrupted" } },
  ]);
});

it("the received part is stored when the route breaks off", async () => {
  const events = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: {"type":"text-delta","delta":"Да"}\n\n')),
    pull: (controller) => controller.error(new Error("The provider is gone.")),
  });
  const route = () => new Response(events, { headers: { "content-type": "text/event-stream" } });
  const { send, json, newThread } = start(route).visitor();
  const threadId = await newThread();
  const stream = await send(`threads/${threadId}/run/stream`, { messages: [question] });
  await expect(stream.text()).rejects.toThrow("The provider is gone.");
  expect(await json(`threads/${threadId}/messages`)).toMatchObject([
    question,
    { status: { type: "incomplete", reason: "interrupted" } },
  ]);
});

it("two concurrent questions become two branches, and neither answer is lost", async () => {
  const { send, json, newThread } = start().visitor();
  const threadId = await newThread();
  const ask = async (id: string) =>
    (await send(`threads/${threadId}/run/stream`, { messages: [{ ...question, id, parentId: null }] })).text();
  await Promise.all([ask("q1"), ask("q2")]);
  const messages = (await json(`threads/${threadId}/messages`)) as readonly { readonly parentId: string | null }[];
  expect(messages).toHaveLength(4);
  expect(new Set(messages.map(({ parentId }) => parentId))).toEqual(new Set(["q1", "q2", null]));
});

it("a title that a visitor sets during an answer stays, and a thread that they archive stays archived", async () => {
  let during: (() => Promise<unknown>) | undefined;
  const route: ChatRoute = async (request) => {
    await during?.();
    return answer(request);
  };
  const { send, json, newThread } = start(route).visitor();
  const threadId = await newThread();
  const ask = async (id: string) => {
    const response = await send(`threads/${threadId}/run/stream`, { messages: [{ ...question, id }] });
    return [response.status, await response.text()];
  };
  await ask("q1");
  during = () => send(`threads/${threadId}/rename`, { title: "Чайник" });
  await ask("q2");
  expect(await json("threads")).toMatchObject([{ title: "Чайник" }]);
  during = () => send(`threads/${threadId}/archive`, {});
  expect(await ask("q3")).toEqual([404, expect.stringContaining("archived")]);
  expect(await json("threads")).toEqual([]);
});

it("the route gets the request's headers, and an error names a route that streams no messages", async () => {
  const got: (string | null)[] = [];
  const route: ChatRoute = ({ headers }) => {
    got.push(headers.get("authorization"));
    return new Response("Да");
  };
  const { send, headers, newThread } = start(route).visitor();
  const threadId = await newThread();
  headers.set("authorization", "Bearer of-the-host");
  await expect(send(`threads/${threadId}/run/stream`, { messages: [question] })).rejects.toThrow(
    "The route responds with text/plain;charset=UTF-8. The widget needs result.toUIMessageStreamResponse().",
  );
  expect(got).toEqual(["Bearer of-the-host"]);
});

describe("Visitors", () => {
  it("cannot reach each other's threads, by a cookie that scripts cannot read", async () => {
    const { visitor } = start();
    const first = visitor();
    const threadId = await first.newThread();
    const second = visitor();
    await second.newThread();
    expect(await second.json("threads")).toHaveLength(1);
    const refused = { error: { code: "not_found", message: "There is no such thread." } };
    expect(await second.json(`threads/${threadId}/messages`)).toEqual(refused);
    expect(await second.json(`threads/${threadId}/run/stream`, { messages: [question] })).toEqual(refused);
    expect(await second.json(`threads/${threadId}/archive`, {})).toEqual(refused);
    expect(await first.json("threads")).toHaveLength(1);
    expect((await second.send("../projects/default/config")).headers.get("set-cookie")).toMatch(
      /^nitka_route_visitor=[\w.-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
    );
  });

  it("keep a cookie that an older secret has signed, and lose one that an unknown secret has signed", async () => {
    const storage = createMemoryThreads();
    const before = start(answer, { storage, secret }).visitor();
    await before.newThread();
    const listWith = async (secrets: string | readonly string[]) => {
      const visitor = start(answer, { storage, secret: secrets }).visitor();
      visitor.headers.set("cookie", before.headers.get("cookie") ?? "");
      return visitor.json("threads");
    };
    expect(await listWith(["another secret of letters", secret])).toHaveLength(1);
    expect(await listWith("another secret of letters")).toEqual([]);
  });

  it("get a __Host- cookie over HTTPS, which a plain cookie cannot replace", async () => {
    const { handle } = start();
    const plain = newVisitor(handle, "http://shop.test");
    await plain.newThread();
    const secure = newVisitor(handle, "https://shop.test");
    await secure.newThread();
    expect(secure.headers.get("cookie")).toMatch(/^__Host-nitka_route_visitor=/);
    secure.headers.set("cookie", plain.headers.get("cookie") ?? "");
    expect(await secure.json("threads")).toEqual([]);
  });

  it("are the host's with identify, and are refused without an id", async () => {
    const identify = ({ headers }: Request) => headers.get("x-user") ?? undefined;
    const { visitor } = start(answer, { identify });
    const [anna, phone, boris, nobody] = [visitor(), visitor(), visitor(), visitor()];
    anna.headers.set("x-user", "anna");
    phone.headers.set("x-user", "anna");
    boris.headers.set("x-user", "boris");
    await anna.newThread();
    expect(anna.headers.has("cookie")).toBe(false);
    expect(await phone.json("threads")).toHaveLength(1);
    expect(await boris.json("threads")).toEqual([]);
    const response = await nobody.send("threads");
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: { code: "unauthorized", message: "The visitor is not signed in." } },
    ]);
  });

  it("cannot be served with a guessable secret", () => {
    expect(() => start(answer, { secret: "short" })).toThrow(
      "secret is too short: it signs cookies, so give at least 16 random characters.",
    );
  });
});

describe("A refusal names what is wrong", () => {
  const asks = (message: object) => ({ messages: [{ ...question, ...message }] });
  it.each<readonly [operation: string, body: unknown, status: number, code: string, message: string | RegExp]>([
    ["run/stream", '{"messages":', 400, "bad_request", "The body is not JSON."],
    ["run/stream", [], 422, "unprocessable", /^The body: /],
    [
      "run/stream",
      { messages: [] },
      422,
      "unprocessable",
      "messages: must hold exactly one message, the visitor's new one.",
    ],
    [
      "run/stream",
      asks({ id: "я" }),
      422,
      "unprocessable",
      "messages.0.id: must be 1 to 128 visible ASCII characters.",
    ],
    ["run/stream", asks({ role: "system" }), 422, "unprocessable", /^messages\.0\.role: /],
    ["run/stream", asks({ content: 5 }), 422, "unprocessable", /^messages\.0\.content: must be a text/],
    [
      "run/stream",
      asks({ content: [{ type: "file", mimeType: "image/png", url: "http://10.0.0.1/" }] }),
      422,
      "unprocessable",
      "messages.0.content.0.url: must be a data URL.",
    ],
    [
      "run/stream",
      asks({ parentId: "none" }),
      422,
      "unprocessable",
      "messages.0.parentId: there is no message none in this thread.",
    ],
    ["rename", "<title>", 400, "bad_request", "The body is not JSON."],
    ["rename", { title: " " }, 422, "unprocessable", "title: must have 1 to 200 characters."],
    ["no-such-operation", {}, 404, "not_found", "There is no such operation."],
  ])("%s with %j", async (operation, body, status, code, message) => {
    const { send, newThread } = start().visitor();
    const response = await send(`threads/${await newThread()}/${operation}`, body);
    const matching = expect.stringMatching(message) as unknown;
    expect([response.status, await response.json()]).toEqual([status, { error: { code, message: matching } }]);
  });

  it("a body of another type, which another site's page may send without a preflight", async () => {
    const { send, headers, newThread } = start().visitor();
    const threadId = await newThread();
    headers.set("content-type", "text/plain");
    expect((await send(`threads/${threadId}/archive`, "{}")).status).toBe(415);
  });

  it("a body of more than 12 MB", async () => {
    const { send, newThread } = start().visitor();
    const response = await send(`threads/${await newThread()}/rename`, { title: "я".repeat(12_000_001) });
    expect(response.status).toBe(413);
  });
});

it("fulfils every requirement of the protocol that it announces", async () => {
  const listen = getRequestListener(start().handle, { overrideGlobalObjects: false });
  const http = createServer((request, response) => void listen(request, response));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  try {
    const proxyUrl = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/nitka/`);
    const { outcomes, leftovers } = await runConformance({ proxyUrl, projectId: "default" });
    expect(leftovers).toEqual([]);
    expect(outcomes.filter(({ status }) => status === "fails" || status === "advised")).toEqual([]);
    expect(outcomes.filter(({ status }) => status === "holds").length).toBeGreaterThan(20);
  } finally {
    http.closeAllConnections();
    http.close();
  }
});
