/** An app that esbuild builds and a page that Node renders, with only the tarballs of our packages. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { findOldestNode } from "../../scripts/find-oldest-node.mjs";
import { codeIn } from "../docs-code.ts";
import { installApp } from "./installed-app.ts";
import type { InstalledApp } from "./installed-app.ts";
import { filesOf, servePages } from "./page-server.ts";
import type { PageServer } from "./page-server.ts";
import { startBrowser } from "./real-browser.ts";
import type { RealBrowser } from "./real-browser.ts";

/** A launcher. Its page loads little until the visitor shows interest. */
const launcher = `
import { init } from "@nitka/widget";

init({ layout: "launcher", proxyUrl: "/" });
`;

const page = (script: string) => `<!doctype html>
<html lang="ru">
  <title>Лавка</title>
  <link rel="stylesheet" href="/page.css" />
  <div id="chat"></div>
  ${script}
</html>`;

/** The code in the docs for a page with a bundler. */
const [, , , call = ""] = codeIn("embedding.md", "Three ways in");

const esbuild = `
import { build } from "esbuild";

await build({
  entryPoints: ["main.js", "launcher.js"],
  bundle: true,
  minify: true,
  format: "esm",
  splitting: true,
  outdir: "esbuild",
  logLevel: "warning",
});
`;

const render = `
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { define, init } from "@nitka/widget";
import "@nitka/widget/jsx";
import { NitkaChat } from "@nitka/widget/react";
import "@nitka/widget/vue";

define();
try {
  init();
} catch (error) {
  console.log(error.message);
}
console.log(renderToString(createElement(NitkaChat, { proxyUrl: "https://chat.example", layout: "launcher" })));
`;

let oldest: string;
let app: InstalledApp;
let browser: RealBrowser;
let built: string;
let server: PageServer;

beforeAll(async () => {
  [oldest, app, browser] = await Promise.all([
    findOldestNode(),
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/widget"],
      dependencies: { react: "19.3.1", "react-dom": "19.3.1", esbuild: "0.28.2" },
      files: {
        "main.js": call.replace("https://chat.example", "/"),
        "launcher.js": launcher,
        "esbuild.js": esbuild,
        "esbuild/index.html": page(`<script type="module" src="/main.js"></script>`),
        "esbuild/launcher.html": page(`<script type="module" src="/launcher.js"></script>`),
        "esbuild/page.css": "#chat { height: 600px; }",
        "render.js": render,
      },
    }),
    startBrowser(),
  ]);
  await app.run("esbuild.js");
  built = join(app.folder, "esbuild");
  server = await servePages(filesOf(built));
});

afterAll(async () => {
  await server?.close();
  await browser?.close();
  app?.remove();
});

it("a build without a plug-in loads its chunks and styles, and chats", async () => {
  expect(readdirSync(built).filter((file) => file.endsWith(".js")).length).toBeGreaterThan(5);
  const tab = await browser.open(server.url);
  expect(await browser.askOn(tab, "Привет")).toContain("Ответ на «Привет».");
  const display = await tab.locator("nitka-chat .shell").evaluate((shell) => getComputedStyle(shell).display);
  expect(display).toBe("grid");
  await tab.context().close();
});

it("a closed launcher loads neither the chat nor the view of its threads", async () => {
  const tab = await browser.open(`${server.url}launcher.html`);
  await tab.getByRole("button", { name: "Открыть чат" }).waitFor();
  const bytes = await tab.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map((entry) => (entry.name.endsWith(".js") ? (entry as PerformanceResourceTiming).decodedBodySize : 0))
      .reduce((sum, size) => sum + size, 0),
  );
  // The code of threads is 27 KB, and the app 212 KB.
  expect(bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThan(20_000);
  await tab.context().close();
});

it("on a server each entry can be imported, the component renders its empty place, and init reports where to call it", async () => {
  expect(await app.runOn(oldest, "render.js")).toBe(
    "Nitka: init needs a page. On a server, call it later, in the browser: in an effect, for example.\n<div></div>\n",
  );
});
