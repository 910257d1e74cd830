/** Host pages whose framework mounts, unmounts or swaps the widget. Each must keep one widget and its conversation. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "../fixtures.ts";
import { hostPage } from "../host-page.ts";

const script = { type: "text/javascript; charset=utf-8" };

/** Bundles a script of tests/browser/hosts like a host in development mode. */
async function bundle(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    mode: "development",
    define: { "process.env.NODE_ENV": '"development"', __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false" },
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: fileURLToPath(new URL(`../hosts/${name}.ts`, import.meta.url)) },
    },
  });
  const files = Array.isArray(built) || !("output" in built) ? [] : built.output;
  return files.flatMap((file) => (file.type === "chunk" ? [file.code] : [])).join("\n");
}

/** Reads a file of an installed package: the one that the package publishes for script tags. */
async function readPackaged(path: string): Promise<string> {
  return await readFile(new URL(`../../../node_modules/${path}`, import.meta.url), "utf8");
}

const frameworkPage = hostPage({
  body: `<div id="root"></div>`,
  script: `const page = document.createElement("script"); page.type = "module"; page.src = "/page.js"; document.body.append(page)`,
});

test("a React page in StrictMode shows one widget, and a return to its route shows the same thread", async ({
  chat,
  page,
  site,
}) => {
  site.host.files = { "/page.js": { ...script, body: await bundle("strict-mode-host") } };
  site.host.html = frameworkPage;
  await page.goto(site.origin);
  await chat.opened();
  await expect(chat.root).toHaveCount(1);
  await expect(chat.root.locator(".shell")).toHaveCount(1);
  await chat.converse("Привет");
  await page.getByRole("button", { name: "prices" }).click();
  await expect(chat.root).toHaveCount(0);
  await page.getByRole("button", { name: "chat" }).click();
  await expect(chat.questionTexts).toHaveText(["Привет"]);
  await chat.converse("Ещё раз");
  await expect(chat.threads).toHaveCount(1);
});

test("a Vue page changes the widget's properties without a restart, and remounts it with its conversation", async ({
  chat,
  page,
  site,
}) => {
  site.host.files = { "/page.js": { ...script, body: await bundle("vue-host") } };
  site.host.html = frameworkPage;
  await page.goto(site.origin);
  await chat.opened();
  await chat.converse("Привет");
  await chat.composer.fill("Черновик");
  await page.getByRole("button", { name: "dark" }).click();
  await expect(chat.root).toHaveJSProperty("colorScheme", "dark");
  await expect(chat.composer).toHaveValue("Черновик");
  await page.getByRole("button", { name: "prices" }).click();
  await expect(chat.root).toHaveCount(0);
  await page.getByRole("button", { name: "chat" }).click();
  await expect(chat.questionTexts).toHaveText(["Привет"]);
});

test("a page keeps one widget and its conversation when Turbo swaps the body", async ({ chat, page, site }) => {
  site.host.files = {
    "/turbo.js": { ...script, body: await readPackaged("@hotwired/turbo/dist/turbo.es2017-umd.js") },
    "/prices": { type: "text/html; charset=utf-8", body: turboPage(`<h1>Цены</h1><a href="/">Чат</a>`) },
  };
  site.host.html = turboPage(
    `<a href="/prices">Цены</a><nitka-chat routing="none" style="display: block; height: 40rem"></nitka-chat>`,
  );
  await page.goto(site.origin);
  await chat.opened();
  await chat.converse("Привет");
  await page.getByRole("link", { name: "Цены" }).click();
  await expect(page.getByRole("heading", { name: "Цены" })).toBeVisible();
  await expect(chat.root).toHaveCount(0);
  await page.getByRole("link", { name: "Чат" }).click();
  await expect(chat.questionTexts).toHaveText(["Привет"]);
  await page.goBack();
  await page.goForward();
  await expect(chat.root.locator(".shell")).toHaveCount(1);
  await expect(chat.questionTexts).toHaveText(["Привет"]);
  await chat.converse("Ещё раз");
  await expect(chat.threads).toHaveCount(1);
});

test("a conversation continues when htmx swaps the part of the page with the widget", async ({ chat, page, site }) => {
  const element = `<nitka-chat routing="none" style="display: block; height: 40rem"></nitka-chat>`;
  site.host.files = {
    "/htmx.js": { ...script, body: await readPackaged("htmx.org/dist/htmx.min.js") },
    "/part/chat": { type: "text/html; charset=utf-8", body: element },
    "/part/prices": { type: "text/html; charset=utf-8", body: "<p>Цены</p>" },
  };
  site.host.html = hostPage({
    head: `<script src="/htmx.js"></script>`,
    body: `<button hx-get="/part/chat" hx-target="#part">Чат</button>
      <button hx-get="/part/prices" hx-target="#part">Цены</button><div id="part"></div>`,
    script: "",
  });
  await page.goto(site.origin);
  for (const turn of ["Первый", "Второй"]) {
    await page.getByRole("button", { name: "Чат", exact: true }).click();
    await chat.opened();
    await chat.converse(turn);
    await page.getByRole("button", { name: "Цены", exact: true }).click();
    await expect(chat.root).toHaveCount(0);
  }
  await page.getByRole("button", { name: "Чат", exact: true }).click();
  await expect(chat.questionTexts).toHaveText(["Первый", "Второй"]);
});

/** A page with its scripts in the head, where Turbo loads them once. */
function turboPage(body: string): string {
  return `<!doctype html><html lang="ru"><head><meta charset="utf-8"><title>Лавка</title>
    <script src="/turbo.js" defer></script><script src="/widget/nitka.js" defer></script></head>
    <body>${body}</body></html>`;
}
