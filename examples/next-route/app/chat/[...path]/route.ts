/** Nitka as a route handler of Next: put this file at `app/chat/[...path]/route.ts`. */
import { createDemoModel } from "@nitka/demo-model";
import { createChatServer } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";
import type { ChatServer } from "@nitka/server";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** Next reloads this file when it changes. The open server is kept here and used again. */
const kept = globalThis as { nitkaChat?: Promise<ChatServer> };

async function openChat(): Promise<ChatServer> {
  const storage = await openSqliteStorage({ path: process.env["NITKA_DATABASE"] ?? "data/next.db" });
  return createChatServer({
    storage,
    // Next leaves the whole path in the request.
    basePath: "/chat",
    // Next, or the proxy in front of it, writes the visitor's address into X-Forwarded-For: without it all visitors would
    // share the limits of one address.
    trustedProxies: 1,
    secret: process.env["NITKA_SECRET"] ?? crypto.randomUUID(),
    projects: { default: { models: [createDemoModel()] } },
  });
}

async function answer(request: Request): Promise<Response> {
  const chat = await (kept.nitkaChat ??= openChat());
  return chat.fetch(request);
}

export { answer as DELETE, answer as GET, answer as HEAD, answer as OPTIONS, answer as POST, answer as PUT };
