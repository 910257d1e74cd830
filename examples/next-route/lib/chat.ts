/** The chat server of a Next application. `app/chat/[...path]/route.ts` passes requests on to it. */
import { createDemoModel } from "@nitka/demo-model";
import { createChatServer } from "@nitka/server";
import type { ChatServer } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";

/** Next reloads a file when it changes. The open server is kept here and reused. */
const kept = globalThis as { nitkaChat?: Promise<ChatServer> | undefined };

/** Opens the server with the first request. If that fails, the request fails, and the next one tries again. */
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
    // The proxy in front, or Next if there is none, writes the visitor's address into X-Forwarded-For.
    clientAddress: (request) => request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim(),
    // Only the proxy writes X-Forwarded-Proto. Over HTTPS the visitor's cookie is restricted to HTTPS.
    trustedProxies: 1,
    // Warnings and errors are printed to the console, like Next's own. To use a logger such as pino, set `log`.
    secret: process.env["NITKA_SECRET"] ?? crypto.randomUUID(),
    projects: { default: { models: [createDemoModel()] } },
  });
  process.once("SIGTERM", () => {
    void (async () => {
      // Running answers get two seconds. The part written by then is stored, and the page can continue with it.
      await chat.close();
      await storage.close();
      // With this setting Next leaves the signal, and therefore the exit, to us.
      if (process.env["NEXT_MANUAL_SIG_HANDLE"]) process.exit(0);
    })();
  });
  return chat;
}
