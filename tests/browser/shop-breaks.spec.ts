/** The shop's waiting tool calls when the page, the connection or the program breaks in the middle. */
import type { Page, Route } from "@playwright/test";
import { test } from "./demo-shop.ts";
import type { DemoShop } from "./demo-shop.ts";
import { core, expect } from "./fixtures.ts";

const question = "Положи в корзину синюю кружку";

async function askForMug(shop: DemoShop): Promise<void> {
  await shop.ask(question);
  await expect(shop.approval).toBeVisible();
}

async function allow(shop: DemoShop): Promise<void> {
  await shop.button("Разрешить").click();
  await expectMug(shop);
}

/** Expects one mug in the basket. */
async function expectMug(shop: DemoShop): Promise<void> {
  await expect(shop.card("В корзине")).toContainText(/1\s×\s1\s450\s₽/);
  await shop.idle();
  await expect(shop.basketCount).toHaveText("1");
}

test.describe("an approval that waits", () => {
  test("is there again after a reload", core, async ({ shop, page }) => {
    await askForMug(shop);
    await page.reload();
    await expect(shop.approval).toBeVisible();
    await allow(shop);
  });

  test("is answered once in two tabs", async ({ shop }) => {
    await askForMug(shop);
    const tab = await shop.openTab();
    await expect(tab.approval).toBeVisible();
    await allow(tab);
    await expect(shop.approval).toBeHidden();
    await expect(shop.card("В корзине")).toContainText(/1\s×\s1\s450\s₽/);
    await expect(shop.basketCount).toHaveText("1");
  });

  test("is interrupted by a restart of the program, and asked again with «Повторить»", async ({
    shop,
    program,
    console,
  }) => {
    console.allow(/Failed to load resource|ERR_|interrupted/);
    await askForMug(shop);
    await program.restart();
    await expect(shop.retryButton).toBeVisible();
    await expect(shop.basketCount).toHaveText("0");
    await shop.retryButton.click();
    await expect(shop.approval).toBeVisible();
    await allow(shop);
  });

  test("is answered once the connection is back", async ({ shop, page, context, console }) => {
    console.allow(/Failed to load resource|ERR_/);
    await askForMug(shop);
    await context.setOffline(true);
    await shop.button("Разрешить").click();
    await expect(shop.button("Разрешить")).toHaveAttribute("aria-busy", "true");
    await expect(shop.basketCount).toHaveText("0");
    await context.setOffline(false);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expectMug(shop);
  });
});

test.describe("a tool of the page whose answer does not get through", () => {
  test.beforeEach(({ console }) => {
    console.allow(/Failed to load resource|ERR_/);
  });

  test("runs again after a reload if it is repeatable", async ({ shop, page }) => {
    await shop.shelfButton("Пиала «Роса»").click();
    const lost = await loseAnswers(page);
    await shop.ask("Что в корзине?");
    await lost.first;
    await page.reload();
    await lost.stop();
    await expect(shop.card("Корзина")).toContainText("Пиала «Роса»");
    await shop.idle();
  });

  test("does not run again after a reload if it changes something", async ({ shop, page }) => {
    await shop.shelfButton("Пиала «Роса»").click();
    const lost = await loseAnswers(page);
    await shop.ask("Убери пиалу");
    await lost.first;
    await expect(shop.basketCount).toHaveText("0");
    await page.reload();
    await lost.stop();
    await expect(shop.root.getByText("Убираю: пиала «Роса»")).toBeVisible();
    await shop.shelfButton("Пиала «Роса»").click();
    await shop.stopButton.click();
    await shop.idle();
    await expect(shop.basketCount).toHaveText("1");
  });

  test("runs in one of two tabs, and both show its result", async ({ shop, page }) => {
    await shop.shelfButton("Пиала «Роса»").click();
    const lost = await loseAnswers(page);
    await shop.ask("Убери пиалу");
    await lost.first;
    const tab = await shop.openTab();
    await expect(tab.root.getByText("Убираю: пиала «Роса»")).toBeVisible();
    await lost.stop();
    for (const each of [shop, tab]) {
      await expect(each.answerTexts).toContainText([/Корзина пуста/]);
      await expect(each.basketCount).toHaveText("0");
    }
  });

  test("goes on once the connection is back", async ({ shop, page }) => {
    const lost = await loseAnswers(page);
    await shop.ask("Что в корзине?");
    await lost.first;
    await lost.stop();
    await expect(shop.answerTexts).toContainText([/Корзина пуста/]);
  });

  test("ends with a restart of the program, and is called again with «Повторить»", async ({
    shop,
    page,
    program,
    console,
  }) => {
    console.allow(/interrupted/);
    const lost = await loseAnswers(page);
    await shop.ask("Что в корзине?");
    await lost.first;
    await program.restart();
    await lost.stop();
    await expect(shop.retryButton).toBeVisible();
    await shop.retryButton.click();
    await expect(shop.answerTexts).toContainText([/Корзина пуста/]);
  });
});

/** Breaks the requests with the outputs of tools. `first` resolves with the first of them. */
async function loseAnswers(page: Page) {
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const lose = async (route: Route) => {
    if (!Object.hasOwn(route.request().postDataJSON() as object, "output")) return route.continue();
    resolve();
    return route.abort();
  };
  await page.route(/\/run\/tool$/, lose);
  return { first, stop: () => page.unroute(/\/run\/tool$/, lose) };
}
