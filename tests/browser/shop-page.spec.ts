import { test } from "./demo-shop.ts";
import { expect, motion } from "./fixtures.ts";

test.use(motion);

test.describe("the demo shop's page", () => {
  test("keeps its basket over a reload, and shows the same one in every tab", async ({ shop, page }) => {
    await shop.shelfButton("Кружка «Иней»").click();
    await shop.shelfButton("Пиала «Роса»").click();
    await expect(shop.basketCount).toHaveText("2");
    await page.reload();
    await expect(shop.basketCount).toHaveText("2");
    await expect(shop.basket).toContainText(/1\s450\s₽.*950\s₽.*Доставка400\s₽Итого2\s800\s₽/s);
    const tab = await shop.openTab();
    await tab.page.getByRole("button", { name: "Пиала «Роса»: убрать" }).click();
    await expect(shop.basketCount).toHaveText("1");
  });

  test("sells no more than there is, and takes an order", async ({ shop, page }) => {
    await expect(page.getByRole("button", { name: "Ждём обжига" })).toBeDisabled();
    const button = shop.shelfButton("Набор «На двоих»");
    for (let click = 0; click < 3; click += 1) await button.click();
    await expect(button).toBeDisabled();
    await expect(shop.basketCount).toHaveText("2");
    await expect(shop.basket).toContainText("бесплатно");
    await page.getByRole("button", { name: "Оформить заказ" }).click();
    await expect(shop.basket).toContainText("Заказ № 1042 принят");
    await expect(shop.basketCount).toHaveText("0");
  });

  test("ignores a stored basket that it cannot read, and goods that it no longer has", async ({ shop, page }) => {
    for (const stored of ["no JSON", "null", '{"samovar":2,"blue-mug":-1,"stem-vase":1.5}']) {
      await page.evaluate((text) => localStorage.setItem("cherepok.basket", text), stored);
      await page.reload();
      await shop.opened();
      await expect(shop.basketCount).toHaveText("0");
    }
  });

  test("moves nothing for visitors who prefer reduced motion", async ({ shop, page }) => {
    const movesAtClick = () =>
      shop.shelfButton("Кружка «Иней»").evaluate((button: HTMLButtonElement) => {
        button.click();
        return document.getAnimations().length > 0;
      });
    expect(await movesAtClick()).toBe(true);
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await movesAtClick()).toBe(false);
    await expect(shop.basketCount).toHaveText("2");
  });
});
