/** What a visitor does before a picture is taken. */
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";

/** The folder of the pictures. */
export const folder = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

/** Opens a new, empty thread. */
export async function open(page: Page): Promise<void> {
  await page.getByPlaceholder("Напишите что-нибудь...").waitFor();
  const compact = !(await page.getByRole("button", { name: "Новый чат" }).isVisible());
  if (compact) await page.getByRole("button", { name: "Боковая панель" }).click();
  await page.getByRole("button", { name: "Новый чат" }).click();
  await page.locator("nitka-chat .empty-thread").waitFor();
  await settle(page);
}

export async function converse(page: Page, ...questions: readonly string[]): Promise<void> {
  await open(page);
  for (const question of questions) {
    await ask(page, question);
    await answered(page);
  }
}

export async function ask(page: Page, question: string): Promise<void> {
  const composer = page.getByPlaceholder("Напишите что-нибудь...");
  await composer.fill(question);
  await composer.press("Enter");
  await page
    .getByRole("button", { name: "Остановить генерацию" })
    .or(page.getByRole("article").nth(1))
    .first()
    .waitFor();
}

export async function answered(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Остановить генерацию" }).waitFor({ state: "hidden", timeout: 60_000 });
  await page.getByRole("button", { name: "Отправить" }).waitFor();
  await settle(page);
}

/** Attaches two of these pictures and a text. */
export async function attach(page: Page): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Добавить вложение" }).click();
  const notes = {
    name: "Заметки о чае.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("Сенча: 75 °C, одна минута."),
  };
  const pictures = ["shop-1-shelf-light.png", "shop-4-basket-light.png"].map((name) => `${folder}${name}`);
  await (await chooser).setFiles(pictures);
  await page.getByRole("button", { name: "Добавить вложение" }).waitFor();
  const second = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Добавить вложение" }).click();
  await (await second).setFiles(notes);
  await settle(page);
}

/** Waits until nothing moves any more: titles that are typed, highlights, menus that open, code that is highlighted. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  const title = page.locator("nitka-chat .thread-crumb");
  for (let before = ""; before !== (await title.innerText()); await page.waitForTimeout(300)) {
    before = await title.innerText();
  }
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .concat(document.querySelector("nitka-chat")?.shadowRoot?.getAnimations() ?? [])
      .every(
        (animation) =>
          animation.playState !== "running" || animation.effect?.getComputedTiming().iterations === Infinity,
      ),
  );
}
