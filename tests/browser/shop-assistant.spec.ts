import { test } from "./demo-shop.ts";
import { core, expect } from "./fixtures.ts";

test.describe("the demo shop's assistant", () => {
  test(
    "reads the page, asks before it fills the basket, shows the shop's card, suggests and takes a thumb",
    core,
    async ({ shop, page }) => {
      await page.goto(new URL("demo/launcher", shop.url).href);
      await shop.button("Открыть чат").click();
      await shop.button("Что у вас есть до 1500 рублей?").click();
      await expect(shop.answerTexts).toContainText([/Пиала «Роса».*950\s₽.*Кружка «Иней».*1\s450\s₽/s]);
      await shop.button("Положи в корзину кружку «Иней»").click();
      await expect(shop.approval).toContainText("Магазин положит это в вашу корзину.");
      await expect(shop.basketCount).toHaveText("0");
      await shop.button("Разрешить").click();
      await expect(shop.basketCount).toHaveText("1");
      await expect(shop.card("В корзине")).toContainText(/Кружка «Иней».*1\s×\s1\s450\s₽.*Итого1\s850\s₽/s);
      await shop.idle();
      await expect(shop.nextQuestions).toHaveText(["Оформи заказ", "Что у вас есть до 1500 рублей?"]);
      await shop.button("Хороший ответ", shop.answers.last()).click();
      await expect(shop.button("Хороший ответ", shop.answers.last())).toHaveAttribute("aria-pressed", "true");

      await shop.button("Оформи заказ").click();
      await shop.button("Разрешить").click();
      await expect(shop.card("Заказ № 1042 принят")).toContainText(/Кружка «Иней»/);
      await expect(shop.basketCount).toHaveText("0");
      await shop.idle();
    },
  );

  test("answers from the shop's help: a citation leads to the sentence in the same tab, and the conversation is there", async ({
    shop,
    page,
  }) => {
    await page.goto(new URL("demo/launcher", shop.url).href);
    await shop.button("Открыть чат").click();
    const citation = shop.answers.getByRole("link", { name: /^Источник/ }).first();
    // The program reads its help after it has started. Until then the assistant does not know it.
    await expect(async () => {
      await shop.ask("Сколько идёт доставка?");
      await shop.idle();
      await expect(citation).toBeVisible({ timeout: 1000 });
    }).toPass();
    await citation.focus();
    const quote = (await shop.answers.getByRole("tooltip").locator("q").innerText()).slice(0, 40);
    await citation.click();
    await expect(page).toHaveURL(/\/demo\/help\//);
    await expect(page.getByText(quote).first()).toBeInViewport();
    await shop.button("Открыть чат").click();
    await expect(shop.answers.getByRole("link", { name: /^Источник/ }).first()).toBeVisible();
  });

  test("shows the same after a reload: the card, what to ask next, the thumb", async ({ shop, page }) => {
    await shop.putMug();
    await shop.button("Плохой ответ").click();
    await expect(shop.button("Плохой ответ")).toHaveAttribute("aria-pressed", "true");
    await page.reload();
    await expect(shop.card("В корзине")).toContainText(/1\s450\s₽/);
    await expect(shop.nextQuestions).toHaveCount(2);
    await expect(shop.button("Плохой ответ")).toHaveAttribute("aria-pressed", "true");
    await expect(shop.basketCount).toHaveText("1");
  });

  test("leaves the basket alone when the visitor says no", async ({ shop }) => {
    await shop.ask("Положи в корзину синюю кружку");
    await shop.button("Отклонить").click();
    await shop.idle();
    // The demo model uses its next wording if another test of this program has asked the same.
    await expect(shop.answerTexts).toContainText([/не кладу|осталась прежней/]);
    await expect(shop.root.getByText("Не положено: кружка «Иней»")).toBeVisible();
    await expect(shop.basketCount).toHaveText("0");
  });

  test("says why the shop refuses", async ({ shop }) => {
    await shop.ask("Положи 5 тарелок");
    await shop.button("Разрешить").click();
    await shop.idle();
    await expect(shop.answerTexts).toContainText([/Магазин отвечает: «Тарелка «Отлив»: осталось\s4\.»/]);
    await expect(shop.basketCount).toHaveText("0");
  });

  test("sees what the visitor has put into the basket, and takes out of it without asking", async ({ shop }) => {
    await shop.shelfButton("Пиала «Роса»").click();
    await shop.converse("Что в корзине?");
    await expect(shop.card("Корзина")).toContainText("Пиала «Роса»");
    await shop.converse("Убери пиалу");
    await expect(shop.basketCount).toHaveText("0");
    await expect(shop.answerTexts.last()).toContainText("Корзина пуста");
  });

  test("has a card whose link leads to the basket of the page", async ({ shop, page }) => {
    await shop.putMug();
    await shop.card("В корзине").getByRole("link", { name: "Открыть корзину" }).click();
    await expect(shop.basket).toBeInViewport();
    await expect(page).toHaveURL(/#basket$/);
    await expect(shop.card("В корзине")).toHaveCount(1);
  });

  test("leaves the page room beside its window, and gets out of the way of a card's link on a phone", async ({
    shop,
    page,
  }) => {
    await page.goto(new URL("demo/launcher", shop.url).href);
    await shop.button("Открыть чат").click();
    await shop.putMug();
    await page.getByRole("link", { name: /^Корзина/ }).click();
    await expect(shop.composer).toBeVisible();
    await page.setViewportSize({ width: 390, height: 780 });
    await shop.card("В корзине").getByRole("link", { name: "Открыть корзину" }).click();
    await expect(shop.composer).toBeHidden();
    await expect(shop.basket).toBeInViewport();
  });

  test("says on the full page that there is no shop, and where it is", async ({ shop, page }) => {
    await page.goto(shop.url);
    await shop.converse("Положи в корзину синюю кружку");
    await expect(shop.answers.getByRole("link", { name: "демо-магазин" })).toHaveAttribute("href", /\/demo\/launcher$/);
  });
});

test(
  "the shop's assistant answers from its help pages, and a citation leads to the place on the page",
  core,
  async ({ shop, page }) => {
    await page.goto(new URL("demo/launcher", shop.url).href);
    await shop.button("Открыть чат").click();
    const citation = shop.answers.getByRole("link", { name: "Источник 1: Доставка" }).first();
    // The program reads the pages in its first seconds.
    await expect(async () => {
      await shop.ask("Сколько стоит доставка по Москве?");
      await shop.idle();
      await expect(citation).toBeVisible({ timeout: 1000 });
    }).toPass();
    await citation.click();
    await expect(page).toHaveURL(/\/demo\/help\/delivery\.html#moscow$/);
    await expect(page.getByRole("heading", { name: "По Москве" })).toBeInViewport();
    await shop.button("Открыть чат").click();
    await shop.sidebarToggle.click();
    await shop.threads.first().getByRole("button").first().click();
    await expect(shop.answerTexts).toContainText([/400\s₽/]);
  },
);
