/** An app of Vue that Vite builds, with nothing of ours but the tarballs. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { filesIn } from "./files-in.ts";
import { runCommand } from "../../scripts/run-command.mjs";
import { findTool } from "../../scripts/workspace.mjs";
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

const config = `
import vue from "@vitejs/plugin-vue";
export default { plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === "nitka-chat" } } })] };
`;

const main = `
import { define } from "@nitka/widget";
import { createApp } from "vue";
import App from "./app.vue";

define();
createApp(App).mount("#root");
`;

const component = `
<script setup>
import { ref } from "vue";

const shown = ref(true);
const asked = ref("");
const words = { "composer.send": "Отправить вопрос" };
const onMessage = ({ detail: { message } }) => message.role === "user" && (asked.value = "спрошено");
</script>

<template>
  <button @click="shown = !shown">Чат</button>
  <output>{{ asked }}</output>
  <div style="height: 600px">
    <nitka-chat v-if="shown" routing="none" :words="words" @nitka-message="onMessage" />
  </div>
</template>
`;

/** What the editor knows of the element in a template. */
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
        "app.vue": component,
        "vite.config.js": config,
        "types.ts": types,
        "wrong.ts": wrong,
        "tsconfig.json": JSON.stringify(tsconfig),
      },
    }),
    startBrowser(),
  ]);
  await app.run("node_modules/vite/bin/vite.js", "build");
  server = await servePages(filesOf(join(app.folder, "dist")));
}, 300_000);

afterAll(async () => {
  await server?.close();
  await browser?.close();
  app?.remove();
});

it("its types hold, and find what is wrong", async () => {
  const tsc = await runCommand(process.execPath, [findTool("typescript", "tsc"), "--pretty", "false"], {
    cwd: app.folder,
  });
  expect(filesIn(tsc.output)).toEqual(["wrong.ts"]);
});

it("chats, with properties and events of the template", async () => {
  const page = await browser.open(server.url);
  expect(await browser.askOn(page, "Привет")).toContain("Ответ на «Привет».");
  await page.locator("output").getByText("спрошено").waitFor();
  await page.locator("nitka-chat").getByRole("button", { name: "Отправить вопрос" }).waitFor();
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
