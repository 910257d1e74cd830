/** The example use-chat: a page with its own interface on `useChat`, with our server. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { build } from "vite";
import type { Answer } from "./backend.ts";
import { gate, textEvents } from "./backend.ts";
import { expect, test as base } from "./fixtures.ts";
import { callPage, callServer, watchToolAnswers } from "./visitor-calls.ts";

const example = fileURLToPath(new URL("../../examples/use-chat/", import.meta.url));

/** The built example, built once for each worker of the tests. */
const test = base.extend<{ readonly shop: Page }, { readonly script: string }>({
  script: [
    async ({ browserName }, provide) => {
      void browserName;
      const built = await build({
        root: example,
        configFile: false,
        logLevel: "error",
        build: { write: false, minify: false, rolldownOptions: { input: `${example}page.tsx` } },
      });
      const outputs = Array.isArray(built) || !("output" in built) ? [] : built.output;
      await provide(outputs.map((file) => (file.type === "chunk" ? file.code : "")).join(""));
    },
    { scope: "worker" },
  ],
  shop: async ({ page, site, script }, provide) => {
    site.host.html = (await readFile(`${example}index.html`, "utf8")).replace("./page.tsx", "/page.js");
    site.host.files = { "/page.js": { type: "text/javascript", body: script } };
    await page.goto(site.origin);
    await provide(page);
  },
});

const answers = (page: Page) => page.getByRole("article", { name: "Ассистент" });

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Сообщение" }).fill(text);
  await page.getByRole("button", { name: "Отправить" }).click();
}

async function idle(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Отправить" })).toBeVisible();
}

test("a tool of the page, an approval and data arrive as the page's own types, also after a reload", async ({
  shop,
  site,
}) => {
  const told = watchToolAnswers(shop);
  site.script.answer = async function* ({ visitor }) {
    yield* callPage(visitor, { toolName: "cart_add", input: { sku: "кружка" } });
    yield* callServer(visitor, { toolName: "cancel_order", input: { order: 7 }, toolCallId: "c2" });
    yield { type: "data-order", id: "o", data: { product: "Кружка", state: "new" } };
    yield { type: "data-order", id: "o", data: { product: "Кружка", state: "placed" } };
    yield* textEvents("Готово.");
  };
  await ask(shop, "Положи кружку");
  await shop.getByRole("group", { name: "Отменить заказ 7?" }).getByRole("button", { name: "Разрешить" }).click();
  await expect(answers(shop).getByRole("paragraph")).toHaveText(["В корзине: 1", "готово", "Готово."]);
  await expect(shop.getByRole("region", { name: "Заказ" })).toHaveText("Кружка: оформлен");
  await idle(shop);
  await expect.poll(() => told).toEqual(['{"claim":""}', '{"output":{"items":1}}', '{"approved":true}']);

  await shop.reload();
  await expect(answers(shop).getByRole("paragraph")).toHaveText(["В корзине: 1", "готово", "Готово."]);
  await expect(shop.getByRole("region", { name: "Заказ" })).toHaveText("Кружка: оформлен");
  await idle(shop);
  expect(told).toHaveLength(3);
});

test("a denied call stays denied after a reload", async ({ shop, site }) => {
  const told = watchToolAnswers(shop);
  site.script.answer = async function* ({ visitor }) {
    yield* callServer(visitor, { toolName: "cancel_order", input: { order: 7 } });
    yield* textEvents("Хорошо.");
  };
  await ask(shop, "Отмени заказ");
  await shop.getByRole("button", { name: "Отклонить" }).click();
  await expect(answers(shop).getByRole("paragraph")).toHaveText(["Заказ не отменён", "Хорошо."]);
  await expect.poll(() => told).toEqual(['{"approved":false}']);
  await shop.reload();
  await expect(answers(shop).getByRole("paragraph")).toHaveText(["Заказ не отменён", "Хорошо."]);
  expect(told).toEqual(['{"approved":false}']);
});

test("a reload in the middle rejoins the answer from its beginning, and cancel stops it", async ({ shop, site }) => {
  const held = gate();
  const half: Answer = async function* ({ signal }) {
    yield { type: "text-start", id: "t" };
    yield { type: "text-delta", id: "t", delta: "Раз, " };
    await Promise.race([held.opened, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
    yield { type: "text-delta", id: "t", delta: "два." };
    yield { type: "text-end", id: "t" };
  };
  site.script.answer = half;
  await ask(shop, "Считай");
  await expect(answers(shop)).toHaveText(["Раз,"]);
  await shop.reload();
  await expect(answers(shop)).toHaveText(["Раз,"]);
  held.open();
  await expect(answers(shop)).toHaveText(["Раз, два."]);
  await idle(shop);

  site.script.answer = async function* ({ signal }) {
    yield* textEvents("Долго");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  await ask(shop, "Ещё");
  await expect(answers(shop)).toHaveText(["Раз, два.", "Долго"]);
  await shop.getByRole("button", { name: "Остановить" }).click();
  await idle(shop);
  await shop.reload();
  await expect(answers(shop)).toHaveText(["Раз, два.", "Долго"]);
  await idle(shop);
});
