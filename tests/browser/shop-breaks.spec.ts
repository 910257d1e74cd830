/** What becomes of the shop's waiting tool calls when the page, the connection or the program breaks off in the middle. */
import { test } from "./demo-shop.ts";
import type { DemoShop } from "./demo-shop.ts";
import { expect } from "./fixtures.ts";

const question = "Положи в корзину синюю кружку";

async function askForMug(shop: DemoShop): Promise<void> {
  await shop.ask(question);
  await expect(shop.approval).toBeVisible();
}

async function allow(shop: DemoShop): Promise<void> {
  await shop.button("Разрешить").click();
  await expectMug(shop);
}

/** Expects the mug in the basket once. */
async function expectMug(shop: DemoShop): Promise<void> {
  await expect(shop.answerTexts).toContainText(["В корзине 1 вещь на 1 450 ₽."]);
  await shop.idle();
  await expect(shop.basketCount).toHaveText("1");
}

test.describe("an approval that waits", () => {
  test("is there again after a reload", async ({ shop, page }) => {
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
    await expect(shop.answerTexts).toContainText(["В корзине 1 вещь на 1 450 ₽."]);
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
    await expect(shop.retryButton).toBeVisible({ timeout: 10_000 });
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
