/** An app of Nest that mounts the chat as docs/library.md shows it, with only the tarballs of our packages. */
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { codeIn } from "../../docs-code.ts";
import { newVisitor } from "../http-visitor.ts";
import { installApp } from "../installed-app.ts";
import type { InstalledApp, Serving } from "../installed-app.ts";

/** The code in the docs, on a port of the test. It is the last block of the section; the earlier ones are commands. */
const mounted = codeIn("library.md", "Nest").at(-1)?.replace("app.listen(3000)", "app.listen(0)") ?? "";

/** Decorators are written as functions, so that the app needs no compiler. */
const start = `
import "reflect-metadata";
import { Controller, Module, Post, Req } from "@nestjs/common";
import { createDemoModel } from "@nitka/demo-model";
import { createChatServer } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";

class Orders {
  add(request) { return request.body; }
}
Post("orders")(Orders.prototype, "add", Object.getOwnPropertyDescriptor(Orders.prototype, "add"));
Req()(Orders.prototype, "add", 0);
Controller()(Orders);
class AppModule {}
Module({ controllers: [Orders] })(AppModule);

const chat = createChatServer({
  storage: await openSqliteStorage({ path: ":memory:" }),
  secret: "the secret of sixteen letters",
  projects: { default: { models: [createDemoModel({ speed: 50 })] } },
});
${mounted}
console.log("http://127.0.0.1:" + app.getHttpServer().address().port);
`;

let app: InstalledApp;
let server: Serving;

beforeAll(async () => {
  app = await installApp({
    packages: inject("packages"),
    uses: ["@nitka/server", "@nitka/demo-model"],
    dependencies: {
      "@hono/node-server": "2.1.9",
      "@nestjs/common": "12.5.1",
      "@nestjs/core": "12.5.1",
      "@nestjs/platform-express": "12.5.1",
      "reflect-metadata": "0.2.2",
      rxjs: "7.8.2",
    },
    files: { "start.js": start },
  });
  server = await app.serve(process.execPath, "start.js");
});

afterAll(async () => {
  await server?.stop();
  app?.remove();
});

it("chats, and the app's own routes get their request bodies", async () => {
  const visitor = await newVisitor(`${server.url}/chat`);
  expect(await visitor.ask("Привет!")).toContain('"type":"finish"');
  expect(await visitor.messages()).toHaveLength(2);
  const order = { method: "POST", headers: { "content-type": "application/json" }, body: '{"sku":"blue"}' };
  expect(await (await fetch(`${server.url}/orders`, order)).json()).toEqual({ sku: "blue" });
});
