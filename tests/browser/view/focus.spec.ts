import type { Locator } from "@playwright/test";
import { gate } from "../backend.ts";
import type { ChatPage, SeedThread } from "../chat-page.ts";
import { png, text } from "../files.ts";
import { expect, motion, test } from "../fixtures.ts";

test.use(motion);

const one: SeedThread = { title: "Первый", turns: [["вопрос один", "ответ один"]] };
const two: SeedThread = { title: "Второй", turns: [["вопрос два", "ответ два"]] };

/** Presses a button by keyboard. The button then disappears and would take the focus with it. */
async function pressByKeyboard(chat: ChatPage, name: string): Promise<void> {
  await chat.button(name).focus();
  await chat.page.keyboard.press("Enter");
}

test("pressing «Прокрутить вниз» moves the focus to the composer", async ({ chat, page }) => {
  await chat.seed({ title: "Длинный", turns: [["вопрос", "Слово за словом. ".repeat(400)]] });
  await chat.open();
  await page.mouse.move(800, 300);
  await page.mouse.wheel(0, -2000);
  await expect(chat.button("Прокрутить вниз")).toBeVisible();
  await pressByKeyboard(chat, "Прокрутить вниз");
  await expect(chat.button("Прокрутить вниз")).toBeHidden();
  await expect(chat.composer).toBeFocused();
});

for (const [failed, method, path] of [
  ["the list of threads", "GET", /\/threads$/],
  ["a thread's history", "GET", /\/messages$/],
] as const) {
  test(`pressing «Повторить» for ${failed} moves the focus to the composer`, async ({ chat, console }) => {
    console.allow(/Failed to load resource/);
    await chat.seed(one);
    await chat.stub(method, path, { status: 500, body: "сломано" }, 1);
    await chat.goto();
    await pressByKeyboard(chat, "Повторить");
    await expect(chat.answerTexts).toHaveText(["ответ один"]);
    await expect(chat.composer).toBeFocused();
  });
}

test("pressing «Повторить» for a new chat moves the focus to the composer", async ({ chat, console }) => {
  console.allow(/Failed to load resource/);
  await chat.seed(one);
  await chat.open();
  await chat.stub("POST", /\/threads$/, { status: 500, body: "сломано" }, 1);
  await pressByKeyboard(chat, "Новый чат");
  await pressByKeyboard(chat, "Повторить");
  await expect(chat.threads).toHaveCount(2);
  await expect(chat.composer).toBeFocused();
});

test("pressing «Повторить» for a failed archiving moves the focus to the next row", async ({ chat, console }) => {
  console.allow(/Failed to load resource/);
  await chat.seed(one, two);
  await chat.open();
  await chat.stub("POST", /\/archive$/, { status: 500, body: "сломано" }, 1);
  await chat.button("Удалить чат", chat.row("Первый")).press("Enter");
  await pressByKeyboard(chat, "Повторить");
  await expect(chat.row("Первый")).toHaveCount(0);
  await expect(chat.rowLink("Второй")).toBeFocused();
});

test("archiving the only thread moves the focus to the composer", async ({ chat }) => {
  await chat.seed(one);
  await chat.open();
  await chat.button("Удалить чат", chat.row("Первый")).press("Enter");
  await expect(chat.row("Первый")).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
});

test("retrying or removing an attachment moves the focus to the composer", async ({ chat, console }) => {
  console.allow(/Failed to load resource/);
  await chat.open();
  await chat.stub("POST", /\/attachments$/, { status: 500, body: "сломано" }, 1);
  const chooser = chat.page.waitForEvent("filechooser");
  await chat.button("Добавить вложение").click();
  await (await chooser).setFiles(text());
  await pressByKeyboard(chat, "Повторить: заметка.txt");
  await expect(chat.composer).toBeFocused();
  await pressByKeyboard(chat, "Удалить вложение");
  await expect(chat.attachments).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
});

/** Opens the attached picture by keyboard. */
async function openPicture(chat: ChatPage): Promise<void> {
  await chat.root.getByRole("button", { name: /^Открыть .*\.png$/ }).press("Enter");
  await expect(chat.preview).toBeVisible();
}

test("a picture that closes as its upload fails moves the focus to the composer", async ({ chat, page, console }) => {
  console.allow(/Failed to load resource/);
  const held = gate();
  await page.route(/\/attachments$/, async (route) => {
    await held.opened;
    await route.fulfill({ status: 422, body: "" });
  });
  await chat.open();
  await chat.root.locator("input[type=file]").setInputFiles([png("снимок.png")]);
  await openPicture(chat);
  held.open();
  await expect(chat.preview).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
});

test("a picture that closes as the page opens another chat moves the focus to the composer", async ({ chat, page }) => {
  const [other] = await chat.seed(one, { title: "Открытый" });
  await chat.open();
  await chat.root.locator("input[type=file]").setInputFiles([png("снимок.png")]);
  await expect(chat.attachments).toHaveCount(1);
  await chat.ask("Что это?");
  await chat.idle();
  await openPicture(chat);
  await page.evaluate((id) => window.chat.selectThread(id), String(other));
  await expect(chat.title).toHaveText("Первый");
  await expect(chat.preview).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
});

test("the focus moves from the stop button to the composer when the answer ends", async ({ chat, site }) => {
  const restOfAnswer = gate();
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Пишу" };
    await restOfAnswer.opened;
  };
  await chat.open();
  await chat.ask("Вопрос");
  await chat.stopButton.focus();
  await expect(chat.stopButton).toBeFocused();
  restOfAnswer.open();
  await chat.idle();
  await expect(chat.composer).toBeFocused();
});

test("a question that the page sends moves the focus only from an action that disappears", async ({ chat, page }) => {
  await chat.seed(one);
  await chat.open();
  const send = () => page.evaluate(() => Reflect.get(window, "chat").send("от страницы"));
  await chat.button("Копировать").first().focus();
  await send();
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.composer).toBeFocused();
  await chat.idle();
  await chat.rowLink("Первый").focus();
  await send();
  await expect(chat.answers).toHaveCount(3);
  await expect(chat.rowLink("Первый")).toBeFocused();
});

test.describe("on a touch screen, where the keyboard stays down", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });

  /** Presses a button that disappears with the press, and waits until the conversation has the focus. */
  async function tapAway(chat: ChatPage, button: Locator): Promise<void> {
    await button.tap();
    await expect(chat.root.getByRole("region", { name: "Чат с\u00a0ассистентом" })).toBeFocused();
    await expect(chat.composer).not.toBeFocused();
  }

  test("a press on a suggestion, on «Сгенерировать заново» and on «Повторить» gives the focus to the conversation", async ({
    chat,
    console,
  }) => {
    console.allow(/Upstream|Failed to load resource/);
    await chat.open();
    await tapAway(chat, chat.button("Какая погода в Сан-Франциско?"));
    await chat.idle();
    await tapAway(chat, chat.button("Сгенерировать заново"));
    await chat.idle();
    await chat.stub("POST", /run\/stream/, { status: 400, body: "сломано" }, 1);
    await chat.button("Сгенерировать заново").tap();
    await chat.sidebarToggle.focus();
    await tapAway(chat, chat.retryButton);
    await chat.idle();
    // An element that only has the focus for a moment is not a stop of the Tab key, and a press on its text does not focus it.
    await chat.sidebarToggle.focus();
    await expect(chat.root.locator(".chat")).not.toHaveAttribute("tabindex");
  });
});
