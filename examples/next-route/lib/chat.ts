/** The chat server of a Next application: `app/chat/[...path]/route.ts` hands its requests over. */
import { createDemoModel } from "@nitka/demo-model";
import { createChatServer } from "@nitka/server";
import type { ChatServer } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";

/** Next reloads a file when it changes. The open server is kept here and used again. */
const kept = globalThis as { nitkaChat?: Promise<ChatServer> | undefined };

/** Opens the server with the first request. When that fails, the request fails, and the next one tries again. */
export function openedChat(): Promise<ChatServer> {
  return (kept.nitkaChat ??= openChat().catch((error: unknown) => {
    kept.nitkaChat = undefined;
    throw error;
  }));
}

async function openChat(): Promise<ChatServer> {
  const storage = await openSqliteStorage({ path: process.env["NITKA_DATABASE"] ?? "data/next.db" });
  const chat = createChatServer({
    storage,
    // Next leaves the whole path in the request.
    basePath: "/chat",
    // The proxy in front, or Next where there is none, writes the visitor's address into X-Forwarded-For.
    clientAddress: (request) => request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim(),
    // And the proxy alone writes X-Forwarded-Proto: over HTTPS the visitor's cookie is for HTTPS only.
    trustedProxies: 1,
    // Warnings and errors are lines of the console, as Next's own. `log` takes a logger instead, such as pino.
    secret: process.env["NITKA_SECRET"] ?? crypto.randomUUID(),
    projects: { default: { models: [createDemoModel()] } },
  });
  process.once("SIGTERM", () => {
    void (async () => {
      // Running answers get two seconds. The rest of them is stored, and the page can go on with it.
      await chat.close();
      await storage.close();
      // With this setting Next leaves the signal, and so the exit, to us.
      if (process.env["NEXT_MANUAL_SIG_HANDLE"]) process.exit(0);
    })();
  });
  return chat;
}
