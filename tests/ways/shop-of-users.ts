/**
 * The server of a shop whose users sign in, without its pages: `node shop-of-users.ts 8080 chat-token.mjs`. A session is a
 * cookie, and the tokens come from the function `chatToken` of that module. `/baskets` lists what the shop's own API has put
 * into baskets.
 */
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

interface User {
  readonly id: string;
  readonly name: string;
}

const users: readonly User[] = [
  { id: "anna", name: "Анна" },
  { id: "boris", name: "Борис" },
];
const baskets: Record<string, string[]> = {};
const [port, route = ""] = process.argv.slice(2);
const { chatToken } = (await import(pathToFileURL(route).href)) as {
  readonly chatToken: (user: User) => Promise<string>;
};

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const user = users.find(({ id }) => request.headers.cookie?.includes(`session=${id}`));
  const reply = (status: number, body: unknown, headers = {}) =>
    void response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  if (pathname === "/api/login") {
    const session = `session=${searchParams.get("user")}; Path=/; Secure; HttpOnly; SameSite=Lax`;
    return reply(200, {}, { "set-cookie": session });
  }
  if (pathname === "/api/logout") return reply(200, {}, { "set-cookie": "session=; Path=/; Max-Age=0" });
  if (pathname === "/api/me") return reply(200, user ?? null);
  if (pathname === "/baskets") return reply(200, baskets);
  if (!user) return reply(401, "");
  if (pathname === "/api/chat-token") return void chatToken(user).then((token) => reply(200, token));
  if (pathname !== "/api/basket") return reply(404, "");
  const basket = (baskets[user.id] ??= []);
  basket.push(searchParams.get("sku") ?? "");
  return reply(200, { items: basket.length });
}).listen(Number(port), "127.0.0.1");
