/** An app that webpack builds without a configuration, with only the tarballs of our packages. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { codeIn } from "../../docs-code.ts";
import { installApp } from "../installed-app.ts";
import type { InstalledApp } from "../installed-app.ts";
import { filesOf, servePages } from "../page-server.ts";
import type { PageServer } from "../page-server.ts";
import { startBrowser } from "../real-browser.ts";
import type { RealBrowser } from "../real-browser.ts";

const page = `<!doctype html>
<html lang="ru">
  <title>Лавка</title>
  <link rel="stylesheet" href="/page.css" />
  <div id="chat"></div>
  <script src="/main.js"></script>
</html>`;

/** The code in the docs for a page with a bundler. */
const [, , , call = ""] = codeIn("embedding.md", "Three ways in");

let app: InstalledApp;
let browser: RealBrowser;
let built: string;
let server: PageServer;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/widget"],
      dependencies: { webpack: "5.112.2", "webpack-cli": "7.3.1" },
      files: {
        "src/index.js": call.replace("https://chat.example", "/"),
        "dist/index.html": page,
        "dist/page.css": "#chat { height: 600px; }",
      },
    }),
    startBrowser(),
  ]);
  await app.run("node_modules/webpack-cli/bin/cli.js", "build", "--mode", "production", "--no-performance");
  built = join(app.folder, "dist");
  server = await servePages(filesOf(built));
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  app?.remove();
});

it("a build without a configuration loads its chunks and styles, and chats", async () => {
  expect(readdirSync(built).filter((file) => file.endsWith(".js")).length).toBeGreaterThan(5);
  const tab = await browser.open(server.url);
  expect(await browser.askOn(tab, "Привет")).toContain("Ответ на «Привет».");
  const display = await tab.locator("nitka-chat .shell").evaluate((shell) => getComputedStyle(shell).display);
  expect(display).toBe("grid");
  await tab.context().close();
});
