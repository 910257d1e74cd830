/** Nitka inside a Hono application: the API under /chat, the widget's files under /widget. */
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { createDemoModel } from "@nitka/demo-model";
import { createChatServer } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";
import { Hono } from "hono";

/** @param path of the database file; `:memory:` stores nothing */
export async function createApplication(path: string) {
  const storage = await openSqliteStorage({ path });
  const chat = createChatServer({
    storage,
    secret: process.env["NITKA_SECRET"] ?? crypto.randomUUID(),
    projects: { default: { models: [createDemoModel()] } },
  });

  const application = new Hono();
  // Hono removes /chat from the path and passes the bindings of Node on, so that streams go straight to the socket.
  application.mount("/chat", chat.fetch);
  const root = fileURLToPath(new URL("dist/", import.meta.resolve("@nitka/widget/package.json")));
  application.use("/widget/*", serveStatic({ root, rewriteRequestPath: (path) => path.replace("/widget", "") }));
  application.get("/", (context) =>
    context.html(`<!doctype html>
<html lang="ru">
  <meta charset="utf-8" />
  <title>Лавка</title>
  <h1>Лавка</h1>
  <script async src="/widget/nitka.js"></script>
  <nitka-chat proxy-url="/chat" layout="launcher"></nitka-chat>
</html>`),
  );

  const close = async () => {
    await chat.close();
    await storage.close();
  };
  return { application, close };
}

if (import.meta.main) {
  const port = Number(process.env["PORT"] ?? 3003);
  const { application, close } = await createApplication("data/hono.db");
  const server = serve({ fetch: application.fetch, port }, () => process.stdout.write(`http://localhost:${port}/\n`));
  process.once("SIGINT", () => {
    server.close();
    void close();
  });
}
