/** An app of Svelte that Vite builds, with only the tarballs of our packages. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { codeIn } from "../docs-code.ts";
import { installApp } from "./installed-app.ts";
import type { InstalledApp } from "./installed-app.ts";
import { filesOf, servePages, STRICT_POLICY } from "./page-server.ts";
import type { PageServer } from "./page-server.ts";
import { startBrowser } from "./real-browser.ts";
import type { RealBrowser } from "./real-browser.ts";

const html = `<!doctype html>
<html lang="ru">
  <title>Лавка</title>
  <div id="root"></div>
  <script type="module" src="/main.js"></script>
</html>`;

const main = `
import { mount } from "svelte";
import App from "./app.svelte";

mount(App, { target: document.querySelector("#root") });
`;

const root = `
<script>
  import Chat from "./chat.svelte";

  let shown = $state(true);
</script>

<button onclick={() => (shown = !shown)}>Чат</button>
{#if shown}<Chat />{/if}
`;

/** The component in the docs. */
const [chat = ""] = codeIn("embedding.md", "Svelte");

const config = `
import { svelte } from "@sveltejs/vite-plugin-svelte";

export default { plugins: [svelte()] };
`;

/** Renders the component on a server, like SvelteKit. */
const render = `
import { render } from "svelte/server";
import Chat from "./chat.svelte";

console.log(render(Chat).body);
`;

let app: InstalledApp;
let browser: RealBrowser;
let server: PageServer;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/widget"],
      dependencies: { svelte: "5.57.3", vite: "8.3.8", "@sveltejs/vite-plugin-svelte": "7.3.1" },
      files: {
        "index.html": html,
        "main.js": main,
        "app.svelte": root,
        "chat.svelte": chat.replace("https://chat.example", "/"),
        "render.js": render,
        "vite.config.js": config,
      },
    }),
    startBrowser(),
  ]);
  const vite = "node_modules/vite/bin/vite.js";
  await app.run(vite, "build");
  await app.run(vite, "build", "--ssr", "render.js", "--outDir", "server");
  // Svelte writes the component's own style attribute as HTML.
  const policy = `${STRICT_POLICY}; style-src 'self' 'unsafe-inline'`;
  server = await servePages(filesOf(join(app.folder, "dist"), policy));
});

afterAll(async () => {
  await server?.close();
  await browser?.close();
  app?.remove();
});

it("the component in the docs chats, with a property and an event", async () => {
  const page = await browser.open(server.url);
  expect(await browser.askOn(page, "Привет")).toContain("Ответ на «Привет».");
  await page.getByText("Вопросов: 1").waitFor();
  await page.locator("nitka-chat").getByRole("button", { name: "Спросить" }).waitFor();
  await page.context().close();
});

it("leaves nothing when it is unmounted, and chats again when it is mounted", async () => {
  const page = await browser.open(server.url);
  await browser.askOn(page, "Первый");
  await page.getByRole("button", { name: "Чат", exact: true }).click();
  expect(await page.locator("nitka-chat").count()).toBe(0);
  await page.getByRole("button", { name: "Чат", exact: true }).click();
  await page.locator("nitka-chat").getByText("Ответ на «Первый».").waitFor();
  expect(await browser.askOn(page, "Второй")).toContain("Ответ на «Второй».");
  await page.context().close();
});

it("is rendered on a server as an empty element", async () => {
  expect(await app.run("server/render.js")).toContain("</nitka-chat>");
});
