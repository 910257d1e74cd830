/** A site of Nuxt, built and started for production, with only the tarballs of our packages. */
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { codeIn } from "../../docs-code.ts";
import { installApp } from "../installed-app.ts";
import type { InstalledApp, Serving } from "../installed-app.ts";
import { pagesOf, servePages } from "../page-server.ts";
import type { PageServer } from "../page-server.ts";
import { startBrowser } from "../real-browser.ts";
import type { RealBrowser } from "../real-browser.ts";

/** The code in the docs: the configuration, a plug-in and a page. */
const [config = "", plugin = "", page = ""] = codeIn("embedding.md", "Nuxt");

/** Nitro's server for Node does not print a port that it chose itself, so the test listens with its handler. */
const start = `
import { createServer } from "node:http";
import { listener } from "./.output/server/index.mjs";

const server = createServer(listener);
server.listen(0, () => console.log("http://127.0.0.1:" + server.address().port));
`;

let app: InstalledApp;
let browser: RealBrowser;
let nuxt: Serving;
let server: PageServer;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/widget"],
      dependencies: { nuxt: "4.5.2" },
      ownVersions: true,
      files: {
        "nuxt.config.ts": config.replace(
          "{\n",
          '{\n  nitro: { preset: "node", serveStatic: true },\n  telemetry: false,\n',
        ),
        "app/plugins/nitka.client.ts": plugin,
        "app/app.vue": page.replace("https://chat.example", "/"),
        "start.js": start,
      },
    }),
    startBrowser(),
  ]);
  await app.run("node_modules/nuxt/bin/nuxt.mjs", "build");
  nuxt = await app.serve(process.execPath, "start.js", { NODE_ENV: "production" });
  server = await servePages(pagesOf(nuxt.url));
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await nuxt?.stop();
  app?.remove();
});

it("renders the element's place on the server, and chats", async () => {
  expect(await (await fetch(server.url)).text()).toContain("</nitka-chat>");
  expect(await browser.ask(server.url, "Привет")).toContain("Ответ на «Привет».");
});
