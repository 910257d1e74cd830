import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { build } from "vite";
import { answerTo } from "../../examples/own-views/answers.mjs";
import { ChatPage } from "./chat-page.ts";
import { expect, test } from "./fixtures.ts";
import type { Program } from "./program.ts";
import type { Site } from "./site.ts";

const folder = fileURLToPath(new URL("../../examples/", import.meta.url));

/**
 * Opens an example as its README describes: the program on port 3000, the page on port 8080. Both ports are routed to real
 * servers, because Chromium blocks requests to local servers from a page that has no network address.
 */
async function openExample(page: Page, site: Site, program: Program): Promise<void> {
  for (const [address, origin] of [
    ["http://localhost:3000/", program.url],
    ["http://localhost:8080/", `${site.origin}/`],
  ] as const) {
    await page.route(`${address}**`, (route) =>
      route.continue({ url: route.request().url().replace(address, origin) }),
    );
  }
  await page.goto("http://localhost:8080/");
}

/** The environment of the program that the examples' pages talk to. */
const exampleEnv = (dataFolder: string) => ({
  NITKA_CONFIG: `${folder}script-tag/nitka.json`,
  NITKA_DATA: dataFolder,
  NITKA_DEMO_SPEED: "1000",
});

test("the example script-tag embeds the widget in a page of another origin", async ({ page, site, startProgram }, {
  outputDir,
}) => {
  // The test starts the program, which takes longer than opening a page.
  test.slow();
  site.host.html = await readFile(`${folder}script-tag/index.html`, "utf8");
  await openExample(page, site, await startProgram(exampleEnv(outputDir)));
  const chat = new ChatPage(page, site);
  await chat.opened();
  await chat.converse("Привет");
  await expect(page).toHaveURL(/^http:\/\/localhost:8080\/#\/c\/.+/);
  await page.reload();
  await expect(chat.questionTexts).toHaveText(["Привет"]);
});

test("the example react-page mounts and unmounts the widget with its component", async ({ page, site, startProgram }, {
  outputDir,
}) => {
  // The test builds the example and starts the program.
  test.slow();
  const built = await build({
    root: `${folder}react-page`,
    configFile: false,
    logLevel: "error",
    build: { write: false, rolldownOptions: { input: `${folder}react-page/index.html` } },
  });
  const files = Array.isArray(built) || !("output" in built) ? [] : built.output;
  site.host.files = Object.fromEntries(
    files.flatMap((file) =>
      file.type === "chunk" ? [[`/${file.fileName}`, { type: "text/javascript", body: file.code }]] : [],
    ),
  );
  site.host.html = files
    .flatMap((file) => (file.type === "asset" && file.fileName === "index.html" ? [String(file.source)] : []))
    .join("");
  await openExample(page, site, await startProgram(exampleEnv(outputDir)));
  const chat = new ChatPage(page, site);
  await chat.opened();
  await expect(chat.root).toHaveCount(1);
  await chat.converse("Привет");
  await chat.converse("Какая погода в Омске?");
  await expect(page.getByRole("region", { name: /^Погода: / })).toContainText(/\d+°/);
  await page.getByRole("button", { name: "Убрать чат" }).click();
  await expect(chat.root).toHaveCount(0);
  await page.getByRole("button", { name: "Вернуть чат" }).click();
  await expect(chat.questionTexts).toHaveText(["Привет", "Какая погода в Омске?"]);
  await expect(page.getByRole("region", { name: /^Погода: / })).toBeVisible();
});

/** Replaces mermaid, which the example loads from a CDN. It draws the code as text and rejects code that is not a graph. */
const SCRIPTED_MERMAID = `export default {
  initialize() {},
  async render(id, code) {
    if (!code.startsWith("graph")) throw new Error("Parse error");
    return { svg: "<svg id=" + id + " viewBox='0 0 300 40'><text y='20'>" + code.replace(/\\s+/g, " ") + "</text></svg>" };
  },
};`;

test("the example own-views shows an order, a chart and a diagram", async ({ page, site, chat, console }) => {
  console.allow(/Parse error/);
  const read = (name: string) => readFile(`${folder}own-views/${name}`, "utf8");
  const scripts = ["order-card.js", "price-chart.js", "diagram.js"];
  site.host.files = Object.fromEntries([
    ["/own-views.css", { type: "text/css", body: await read("own-views.css") }],
    ...(await Promise.all(
      scripts.map(async (name) => [`/${name}`, { type: "text/javascript", body: await read(name) }]),
    )),
  ]);
  site.host.html = await read("index.html");
  await page.route("https://cdn.jsdelivr.net/**", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      headers: { "access-control-allow-origin": "*" },
      body: SCRIPTED_MERMAID,
    }),
  );
  site.script.answer = ({ text }) =>
    text === "Сломай" ? [{ type: "text-delta", delta: "```mermaid\nне схема\n```" }] : answerTo(text);
  await page.goto(site.origin);
  await chat.opened();
  await chat.converse("Где мой заказ?");
  await expect(page.locator(".order-card")).toContainText("Заказ 4021");
  await chat.converse("Как менялась цена?");
  await expect(page.getByRole("img", { name: /^Цены: 5900/ })).toBeVisible();
  await chat.converse("Как всё устроено?");
  await expect(page.locator(".diagram")).toContainText("graph LR Заказ --> Сборка");
  await chat.converse("Сломай");
  await expect(chat.answers.last().locator(".code-block")).toContainText("не схема");
  await page.getByRole("button", { name: "Отменить заказ" }).click();
  await expect(chat.questionTexts.last()).toHaveText("Отмени заказ 4021");
  await chat.idle();
});
