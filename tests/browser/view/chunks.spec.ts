import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";

/** Errors that the page hears of. */
const listen = `<script>
  window.told = [];
  document.addEventListener("nitka-error", (event) => told.push(event.detail.message));
</script>`;
const told = (page: Page) => page.evaluate(() => Reflect.get(window, "told") as readonly string[]);

test("code that could not be loaded is loaded by «Повторить»", async ({ chat, page, console }) => {
  console.allow(/Failed to load resource|ERR_FAILED/);
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  // Many browsers keep the failure of an address for as long as the page lives: it never comes from there.
  await page.route(/\/widget\/thread-[^/]+\.js$/, (route) => route.abort());
  await chat.goto();
  await chat.retryButton.first().click();
  await expect(chat.questionTexts).toHaveText(["Вопрос"]);
});

test("markdown that could not be loaded is told of once, and the next answer loads it for all", async ({
  chat,
  page,
  site,
  console,
}) => {
  console.allow(/Failed to load resource|ERR_FAILED|Markdown could not be loaded/);
  const turns = Array.from({ length: 20 }, (_, index) => [`Вопрос ${index}`, `Ответ **${index}**`] as const);
  await chat.seed({ title: "Разговор", turns });
  let failures = 0;
  await page.route(/\/widget\/document-view-[^/]+\.js$/, (route) => {
    failures += 1;
    return route.abort();
  });
  await chat.goto("/", { head: listen });
  await expect(chat.answerTexts.last()).toHaveText("Ответ **19**");
  await expect.poll(async () => (await told(page)).length).toBe(failures);
  expect(failures).toBe(1);
  await page.unroute(/\/widget\/document-view-[^/]+\.js$/);
  site.script.answer = () => [{ type: "text-delta", delta: "Ответ **новый**" }];
  await chat.ask("Ещё");
  await expect(chat.answerTexts.last().locator("strong")).toHaveText("новый");
  await expect(chat.answerTexts.first().locator("strong")).toHaveCount(1);
  expect(await told(page)).toHaveLength(1);
});

test("an app that could not be loaded comes with the page's next init, and so do its chunks", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/Failed to (load resource|fetch dynamically)|ERR_FAILED/);
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ **важный**"]] });
  await page.route(/\/widget\/app-[^/]+\.js$/, (route) => route.abort());
  await chat.goto("/", { head: listen });
  await expect.poll(() => told(page)).toHaveLength(1);
  await page.evaluate(() => {
    document.querySelector("nitka-chat")?.remove();
    Reflect.get(window, "Nitka").init({ target: "#chat" });
  });
  await expect(chat.answerTexts.locator("strong")).toHaveText("важный");
  await chat.converse("Ещё");
  expect(await told(page)).toHaveLength(1);
});

test("a chat that could not be loaded leaves its launcher, and opens by the next press", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/Failed to (load resource|fetch dynamically)|ERR_FAILED/);
  await page.route(/\/widget\/app-[^/]+\.js$/, (route) => route.abort());
  await chat.goto("/", { head: listen, body: "", options: `{ layout: "launcher" }` });
  await chat.button("Открыть чат").click();
  await expect.poll(() => told(page)).toHaveLength(1);
  await chat.button("Открыть чат").click();
  await expect(chat.composer).toBeVisible();
  expect(await told(page)).toHaveLength(1);
});

test("a launcher that could not be loaded is there after the page's next init", async ({ chat, page, console }) => {
  console.allow(/Failed to (load resource|fetch dynamically)|ERR_FAILED/);
  await page.route(/\/widget\/launcher-[^/]+\.js$/, (route) => route.abort());
  await chat.goto("/", { head: listen, body: "", options: `{ layout: "launcher" }` });
  await expect.poll(() => told(page)).toHaveLength(1);
  await page.evaluate(() => Reflect.get(window, "Nitka").init({ layout: "launcher" }));
  await expect(chat.button("Открыть чат")).toBeVisible();
  expect(await told(page)).toHaveLength(1);
});
