/** An app of Vue that Vite builds, with only the tarballs of our packages. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { codeIn } from "../docs-code.ts";
import { filesIn } from "./files-in.ts";
import { runCompiler } from "../../scripts/run-compiler.mjs";
import { installApp } from "./installed-app.ts";
import type { InstalledApp } from "./installed-app.ts";
import { filesOf, servePages } from "./page-server.ts";
import type { PageServer } from "./page-server.ts";
import { startBrowser } from "./real-browser.ts";
import type { RealBrowser } from "./real-browser.ts";

const html = `<!doctype html>
<html lang="ru">
  <title>Лавка</title>
  <div id="root"></div>
  <script type="module" src="/main.ts"></script>
</html>`;

const main = `
import { createApp } from "vue";
import App from "./app.vue";

createApp(App).mount("#root");
`;

/** The code in the docs: the configuration of Vite, and a component. */
const [config = "", chat = ""] = codeIn("embedding.md", "Vue");

const root = `
<script setup>
import { ref } from "vue";
import Chat from "./chat.vue";

const shown = ref(true);
</script>

<template>
  <button @click="shown = !shown">Чат</button>
  <Chat v-if="shown" />
</template>
`;

/** The code in the docs for Astro, in the form that Astro passes to Vite: its scripts are modules. */
const astro = codeIn("embedding.md", "Astro").join("").replace("<script>", '<script type="module">');

/** The editor's knowledge of the element in a template. */
const types = `
import type {} from "@nitka/widget/vue";
import type { GlobalComponents } from "vue";

type Props = InstanceType<GlobalComponents["nitka-chat"]>["$props"];
export const props: Props = { layout: "launcher", "project-id": "shop", tools: {}, class: "chat" };
`;

/** There is no such layout. */
const wrong = types.replace('layout: "launcher"', 'layout: "window"');

const tsconfig = {
  compilerOptions: {
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    noEmit: true,
    lib: ["es2022", "dom"],
    types: [],
  },
  files: ["types.ts", "wrong.ts"],
};

let app: InstalledApp;
let browser: RealBrowser;
let server: PageServer;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/widget"],
      dependencies: { vue: "3.5.45", vite: "8.3.8", "@vitejs/plugin-vue": "6.0.11" },
      files: {
        "index.html": html,
        "main.ts": main,
        "app.vue": root,
        "chat.vue": chat.replace("https://chat.example", "/"),
        "vite.config.js": config,
        "astro/index.html": astro.replace("https://chat.example", "/"),
        "types.ts": types,
        "wrong.ts": wrong,
        "tsconfig.json": JSON.stringify(tsconfig),
      },
    }),
    startBrowser(),
  ]);
  const vite = "node_modules/vite/bin/vite.js";
  await app.run(vite, "build");
  await app.run(vite, "build", "astro", "--base", "/astro/", "--outDir", "../dist/astro");
  server = await servePages(filesOf(join(app.folder, "dist")));
});

afterAll(async () => {
  await server?.close();
  await browser?.close();
  app?.remove();
});

it("its types hold, and find what is wrong", async () => {
  const tsc = await runCompiler([], { cwd: app.folder });
  expect(filesIn(tsc.output)).toEqual(["wrong.ts"]);
});

it("the component in the docs chats, with properties and events of its template", async () => {
  const page = await browser.open(server.url);
  expect(await browser.askOn(page, "Привет")).toContain("Ответ на «Привет».");
  await page.getByText("Вопросов: 1").waitFor();
  await page.locator("nitka-chat").getByRole("button", { name: "Спросить" }).waitFor();
  await page.context().close();
});

it("the markup for Astro in the docs chats", async () => {
  const page = await browser.open(`${server.url}astro/index.html`);
  expect(await browser.askOn(page, "Привет")).toContain("Ответ на «Привет».");
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
