/** What a visitor of the demo shop does before a picture is taken. */
import type { Page } from "@playwright/test";
import { answered, ask, settle } from "./picture-poses.ts";

/** Opens the chat over the shop, with the shelf beside it. */
export async function openInShop(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Открыть чат" }).click();
  await page.getByText("Здравствуйте!").waitFor();
  await page.getByRole("heading", { name: "На полке сейчас" }).evaluate((element) => {
    scrollTo({ top: element.getBoundingClientRect().top + scrollY - 96, behavior: "instant" });
  });
  await settle(page);
}

/** Asks for the mug and leaves the shop's question unanswered. */
export async function askForMug(page: Page): Promise<void> {
  await openInShop(page);
  await ask(page, "Положи в корзину синюю кружку");
  await page.getByRole("button", { name: "Разрешить" }).waitFor();
  await settle(page);
}

/** Lets the assistant put the mug into the basket. */
export async function takeMug(page: Page): Promise<void> {
  await askForMug(page);
  await allow(page);
}

export async function orderMug(page: Page): Promise<void> {
  await takeMug(page);
  await ask(page, "Оформи заказ");
  await page.getByRole("button", { name: "Разрешить" }).waitFor();
  await allow(page);
}

async function allow(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Разрешить" }).click();
  await answered(page);
}
