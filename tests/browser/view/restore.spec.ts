import type { Locator, Page } from "@playwright/test";
import type { ChatPage } from "../chat-page.ts";
import { core, expect, test } from "../fixtures.ts";

const removedRow = (chat: ChatPage): Locator => chat.root.locator("[data-removed-row]");
const restoreButton = (chat: ChatPage): Locator => chat.root.getByRole("button", { name: "Вернуть" });

async function removeByPointer(chat: ChatPage, page: Page, title: string): Promise<void> {
  await chat.rowLink(title).hover();
  await chat.root.getByRole("button", { name: `Удалить чат: ${title}` }).click();
  await expect(chat.rowLink(title)).toHaveCount(0);
  // The pointer moves away, because the countdown pauses while it is on the row.
  await page.mouse.move(600, 20);
}

test("a deleted chat can be restored for 8 s, in its place, open and with its draft", core, async ({ chat, page }) => {
  await page.clock.install();
  await chat.seed({ title: "Старый", turns: [["Вопрос 1", "Ответ 1"]] });
  await chat.seed({ title: "Средний", turns: [["Вопрос 2", "Ответ 2"]] });
  await chat.seed({ title: "Новый", turns: [["Вопрос 3", "Ответ 3"]] });
  await chat.open();
  const titles = () => chat.root.locator("[data-thread-row], [data-removed-row]").allInnerTexts();
  await chat.rowLink("Средний").click();
  await expect(chat.answerTexts.last()).toHaveText("Ответ 2");
  await chat.composer.fill("Черновик");

  await test.step("its row says so in its place, and another chat opens", async () => {
    await removeByPointer(chat, page, "Средний");
    await expect(removedRow(chat)).toHaveText("Чат удалён · Вернуть");
    expect(await titles()).toEqual(["Новый", "Чат удалён · Вернуть", "Старый"]);
    await expect(chat.answerTexts.last()).toHaveText("Ответ 1");
  });

  await test.step("a press brings it back, open, with its draft", async () => {
    await restoreButton(chat).click();
    await expect(chat.answerTexts.last()).toHaveText("Ответ 2");
    expect(await titles()).toEqual(["Новый", "Средний", "Старый"]);
    await expect(chat.composer).toHaveValue("Черновик");
  });

  await test.step("several are offered side by side, each for 8 s, which stand still under the pointer", async () => {
    await chat.freezeClock();
    await removeByPointer(chat, page, "Старый");
    await page.clock.runFor(4000);
    await removeByPointer(chat, page, "Новый");
    await expect(restoreButton(chat)).toHaveCount(2);
    await removedRow(chat).first().hover();
    await page.clock.runFor(4100);
    await expect(restoreButton(chat)).toHaveCount(1);
    await page.clock.runFor(20_000);
    await expect(restoreButton(chat)).toHaveCount(1);
    await page.mouse.move(600, 20);
    await page.clock.runFor(8100);
    await expect(restoreButton(chat)).toHaveCount(0);
    expect(await titles()).toEqual(["Средний"]);
  });

  await test.step("after a reload nothing is offered", async () => {
    await removeByPointer(chat, page, "Средний");
    await expect(restoreButton(chat)).toBeVisible();
    await page.reload();
    await expect(chat.composer).toBeVisible();
    await expect(restoreButton(chat)).toHaveCount(0);
    await expect(chat.rowLink("Средний")).toHaveCount(0);
  });
});

test("a deleted chat is restored by keyboard, and a failure is shown in its row", async ({ chat, page, console }) => {
  console.allow(/Failed to load resource|503/);
  await chat.seed({ title: "Второй", turns: [["Вопрос 1", "Ответ 1"]] });
  await chat.seed({ title: "Первый", turns: [["Вопрос 2", "Ответ 2"]] });
  await chat.open();
  await chat.rowLink("Первый").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(chat.root.getByRole("button", { name: "Удалить чат: Первый" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.rowLink("Второй")).toBeFocused();
  await expect(restoreButton(chat)).toBeVisible();
  await page.keyboard.press("Shift+Tab");
  await expect(restoreButton(chat)).toBeFocused();

  await page.route(/\/restore$/, (route) => route.fulfill({ status: 503, body: "{}" }));
  await page.keyboard.press("Enter");
  await expect(removedRow(chat)).toContainText("Не удалось вернуть чат.");
  await page.unroute(/\/restore$/);
  await page.keyboard.press("Enter");
  await expect(chat.answerTexts.last()).toHaveText("Ответ 2");
  await expect(chat.rowLink("Первый")).toBeFocused();
  await expect(restoreButton(chat)).toHaveCount(0);
});

test("the only chat of an inline page replaces the new one when it is restored", async ({ chat, page }) => {
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  await chat.open();
  await removeByPointer(chat, page, "Разговор");
  await expect(chat.root.getByText("New Chat")).toBeVisible();
  await restoreButton(chat).click();
  await expect(chat.answerTexts.last()).toHaveText("Ответ");
});
