/** A site of Astro, built for production, whose pages swap without a reload, with only the tarballs of our packages. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { codeIn } from "../../docs-code.ts";
import { installApp } from "../installed-app.ts";
import type { InstalledApp } from "../installed-app.ts";
import { filesOf, servePages, STRICT_POLICY } from "../page-server.ts";
import type { PageServer } from "../page-server.ts";
import { startBrowser } from "../real-browser.ts";
import type { RealBrowser } from "../real-browser.ts";

/** The code in the docs. */
const [component = ""] = codeIn("embedding.md", "Astro");

const page = (link: string) => `---
import { ClientRouter } from "astro:transitions";
import Chat from "../components/chat.astro";
---
<html lang="ru">
  <head><title>Лавка</title><ClientRouter /></head>
  <body>${link}<Chat /></body>
</html>
`;

let app: InstalledApp;
let browser: RealBrowser;
let server: PageServer;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/widget"],
      dependencies: { astro: "7.3.5" },
      ownVersions: true,
      files: {
        "src/components/chat.astro": component.replace("https://chat.example", "/"),
        "src/pages/index.astro": page('<a href="/prices/index.html">Цены</a>'),
        "src/pages/prices.astro": page('<a href="/index.html">Назад</a>'),
      },
    }),
    startBrowser(),
  ]);
  await app.run("node_modules/astro/bin/astro.mjs", "build");
  // Astro's router adds an inline style to the page for its announcements.
  const policy = `${STRICT_POLICY}; style-src 'self' 'unsafe-inline'`;
  server = await servePages(filesOf(join(app.folder, "dist"), policy));
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  app?.remove();
});

it("chats, also after Astro has swapped the page", async () => {
  const tab = await browser.open(server.url);
  expect(await browser.askOn(tab, "Привет")).toContain("Ответ на «Привет».");
  await tab.getByRole("link", { name: "Цены" }).click();
  await tab.getByRole("link", { name: "Назад" }).waitFor();
  expect(await browser.askOn(tab, "Ещё раз")).toContain("Ответ на «Ещё раз».");
  expect(await tab.locator("nitka-chat").count()).toBe(1);
  await tab.context().close();
});
