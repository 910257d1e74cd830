/** A shop whose users sign in: its pages, its API, and the model that its chat asks. */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { listenLocally } from "../../scripts/listen-locally.mjs";
import type { ServePages } from "../packages/page-server.ts";
import { answerAsModel } from "./model-service.ts";

export interface User {
  readonly id: string;
  readonly name: string;
}

export interface Shop {
  readonly url: string;
  /** What the shop's own API has put into baskets, by the user of the session. */
  readonly baskets: Readonly<Record<string, readonly string[]>>;
  serve(pages: ServePages): void;
  close(): Promise<void>;
}

interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** The shop's server: a session is a cookie, `chatToken` the documents' function. */
export async function startShop(
  users: readonly User[],
  chatToken: (user: User) => Promise<string> | string,
): Promise<Shop> {
  const baskets: Record<string, string[]> = {};
  let pages: ServePages = (_, response) => void response.writeHead(503).end();
  const listening = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const user = users.find(({ id }) => request.headers.cookie?.includes(`session=${id}`));
    const reply = (status: number, body: unknown, headers = {}) =>
      void response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
    if (pathname === "/api/login") {
      return reply(200, {}, { "set-cookie": `session=${searchParams.get("user")}; Path=/; HttpOnly; SameSite=Lax` });
    }
    if (pathname === "/api/logout") return reply(200, {}, { "set-cookie": "session=; Path=/; Max-Age=0" });
    if (pathname === "/api/me") return reply(200, user ?? null);
    if (pathname === "/api/chat-token") {
      return user ? void Promise.resolve(chatToken(user)).then((token) => reply(200, token)) : reply(401, "");
    }
    if (pathname === "/api/basket") {
      if (!user) return reply(401, {});
      const basket = (baskets[user.id] ??= []);
      basket.push(searchParams.get("sku") ?? "");
      return reply(200, { items: basket.length });
    }
    return pages(request, response);
  });
  return { ...listening, baskets, serve: (serving) => void (pages = serving) };
}

/** The service that answers the chat. */
export function startModel(): Promise<Listening> {
  return listen(answerAsModel);
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<Listening> {
  const server = createServer((request, response) => void handle(request, response));
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
