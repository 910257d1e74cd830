/** Nitka inside a Fastify application: the API under /chat, the widget's files under /widget. */
import { readFile } from "node:fs/promises";
import { getRequestListener } from "@hono/node-server";
import { createDemoModel } from "@nitka/demo-model";
import { createChatServer } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";
import Fastify from "fastify";

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

/** @param path of the database file; `:memory:` stores nothing */
export async function createApplication(path: string) {
  const storage = await openSqliteStorage({ path });
  const application = Fastify({ logger: { level: "warn" } });
  const chat = createChatServer({
    storage,
    // Fastify leaves the whole path in the request.
    basePath: "/chat",
    log: application.log,
    secret: process.env["NITKA_SECRET"] ?? crypto.randomUUID(),
    projects: { default: { models: [createDemoModel()] } },
  });

  const answer = getRequestListener(chat.fetch, { overrideGlobalObjects: false });
  await application.register(async (scope) => {
    // The chat reads its requests itself: in this scope Fastify parses no body, and passes the response on.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    scope.all("/chat/*", (request, reply) => {
      reply.hijack();
      void answer(request.raw, reply.raw);
    });
  });
  application.addHook("onClose", async () => {
    await chat.close();
    await storage.close();
  });

  const widget = new URL("dist/", import.meta.resolve("@nitka/widget/package.json"));
  application.get<{ Params: { file: string } }>("/widget/:file", async ({ params }, reply) => {
    const type = types[/^[\w-]+\.(css|js)$/.exec(params.file)?.[1] ?? ""];
    if (type === undefined) return reply.callNotFound();
    return reply.type(type).send(await readFile(new URL(params.file, widget)));
  });
  application.get("/", (_request, reply) => {
    reply.type("text/html; charset=utf-8").send(`<!doctype html>
<html lang="ru">
  <meta charset="utf-8" />
  <title>Лавка</title>
  <h1>Лавка</h1>
  <script async src="/widget/nitka.js"></script>
  <nitka-chat proxy-url="/chat" layout="launcher"></nitka-chat>
</html>`);
  });
  return application;
}

if (import.meta.main) {
  const application = await createApplication("data/fastify.db");
  const address = await application.listen({ port: Number(process.env["PORT"] ?? 3004) });
  process.stdout.write(`${address}\n`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void application.close());
}
