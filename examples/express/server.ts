/** Nitka inside an Express application: the API under /chat, the widget's files under /widget. */
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { createDemoModel } from "@nitka/demo-model";
import { createChatServer } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";
import express from "express";

/** @param path of the database file; `:memory:` stores nothing */
export async function createApplication(path: string) {
  const storage = await openSqliteStorage({ path });
  const chat = createChatServer({
    storage,
    secret: process.env["NITKA_SECRET"] ?? crypto.randomUUID(),
    projects: { default: { models: [createDemoModel()] } },
  });

  const application = express();
  // This precedes any body parser, because the chat reads its requests itself. Express removes /chat from the path.
  const answer = getRequestListener(chat.fetch, { overrideGlobalObjects: false });
  application.use("/chat", (request, response) => void answer(request, response));
  const widget = fileURLToPath(new URL("dist/", import.meta.resolve("@nitka/widget/package.json")));
  application.use("/widget", express.static(widget));
  application.use(express.json());
  application.get("/", (_request, response) => {
    response.send(`<!doctype html>
<html lang="ru">
  <meta charset="utf-8" />
  <title>Лавка</title>
  <h1>Лавка</h1>
  <script async src="/widget/nitka.js"></script>
  <script>
    window.Nitka = window.Nitka || [];
    Nitka.push(["init", { proxyUrl: "/chat", layout: "launcher" }]);
  </script>
</html>`);
  });

  const close = async () => {
    await chat.close();
    await storage.close();
  };
  return { application, close };
}

if (import.meta.main) {
  const port = Number(process.env["PORT"] ?? 3002);
  const { application, close } = await createApplication("data/express.db");
  const server = application.listen(port, () => process.stdout.write(`http://localhost:${port}/\n`));
  process.once("SIGINT", () => {
    server.close();
    void close();
  });
}
