import { expect } from "@playwright/test";
import { gate } from "./backend.ts";
import type { ChatPage } from "./chat-page.ts";
import { scriptedSpeech } from "./scripted-speech.ts";
import { animationsEnd } from "./states.ts";

/**
 * Brings the widget into the states of search, speech, deleted chats, long texts, the wide panel and consent, and runs `look`
 * in each.
 */
export async function visitHabitStates(chat: ChatPage, look: (state: string) => Promise<void>): Promise<void> {
  const visit = async (state: string) => {
    await animationsEnd(chat);
    await look(state);
  };
  const models = ["Быстрая", "Умная"].map((name, index) => ({ id: ["scripted", "other"][index], name }));
  const voice = { input: true, output: true };
  await chat.config({ voice, models, model: "scripted", notice: { url: "/about-ai" }, pageUrl: "/chat" });
  const others = Array.from({ length: 30 }, (_, index) => ({ title: `Чат ${index}` }));
  await chat.seed(...others, { title: "О погоде", turns: [["Погода?", "Завтра будет ясная погода."]] });
  await chat.open("/", { head: scriptedSpeech });
  await visitSearch(chat, visit);
  await visitSpeech(chat, visit);
  await visitDeletion(chat, visit);
  await visitLongTexts(chat, visit);

  await chat.goto("/", { options: `{ layout: "launcher" }`, body: "<h1>Магазин</h1>", head: scriptedSpeech });
  await chat.button("Открыть чат").click();
  await chat.button("Расширить окно").click();
  await visit("wide panel");
  await chat.button("Действия с чатом").click();
  await expect(chat.root.getByRole("menu")).toBeVisible();
  await visit("menu of the panel's chat");

  await chat.config({ consent: { text: "Вы соглашаетесь на обработку данных.", url: "/privacy", version: "1" } });
  await chat.open("/", { head: scriptedSpeech });
  await chat.composer.fill("Привет");
  await visit("agreement that is asked for");
}

type Visit = (state: string) => Promise<void>;

async function visitSearch(chat: ChatPage, visit: Visit): Promise<void> {
  const field = chat.sidebar.getByRole("searchbox");
  await expect(field).toBeVisible();
  await visit("list with a search");
  await field.fill("погода");
  await expect(chat.sidebar.locator(".search-hit")).toHaveCount(1);
  await chat.sidebar.locator(".search-hit").hover();
  await visit("threads that were found");
  await field.fill("такого нет");
  await expect(chat.sidebar.locator(".search-none")).toBeVisible();
  await visit("search that finds nothing");
  await chat.stub("GET", /\?query=/, { status: 500, body: "сломано" }, 1);
  await field.fill("сбой");
  await expect(chat.retryButton).toBeVisible();
  await visit("search that failed");
  await field.press("Escape");
}

async function visitSpeech(chat: ChatPage, visit: Visit): Promise<void> {
  const { page } = chat;
  await chat.button("Диктовать").click();
  await visit("recording that begins");
  await page.evaluate(() => window.speech.begin());
  await page.evaluate(() => window.speech.hear("Привет…"));
  await expect(chat.composer).toHaveValue("Привет");
  await visit("recording");
  await page.evaluate(() => window.speech.fail("not-allowed"));
  await expect(chat.button("Диктовать")).toBeVisible();
  await visit("recording that is not allowed");
  await chat.button("Прочитать вслух").click();
  await visit("answer that is read aloud");
  await page.evaluate(() => window.speech.failReading("synthesis-failed"));
  await expect(chat.root.locator(".reading-note")).toBeVisible();
  await visit("answer that could not be read aloud");
}

async function visitDeletion(chat: ChatPage, visit: Visit): Promise<void> {
  for (const title of ["Чат 1", "Чат 2"]) {
    await chat.rowLink(title).hover();
    await chat.root.getByRole("button", { name: `Удалить чат: ${title}`, exact: true }).click();
  }
  const restore = chat.root.getByRole("button", { name: "Вернуть" });
  await expect(restore).toHaveCount(2);
  await restore.last().focus();
  await visit("deleted chats that can be restored");
  await chat.stub("POST", /\/restore$/, { status: 503, body: "{}" }, 1);
  await restore.last().press("Enter");
  await expect(chat.sidebar.getByText("Не удалось вернуть чат.")).toBeVisible();
  await visit("restoring that failed");
  await restore.last().press("Enter");
  await expect(chat.rowLink("Чат 1").or(chat.rowLink("Чат 2"))).toBeFocused();
  await chat.rowLink("О погоде").click();
}

async function visitLongTexts(chat: ChatPage, visit: Visit): Promise<void> {
  const { page, site } = chat;
  const answer = gate();
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "| Город | Цена |\n| --- | --- |\n| Тверь | -5 °C |\n\n" };
    await answer.opened;
    yield { type: "text-delta", delta: "Конец." };
  };
  await chat.composer.fill("Строка\n".repeat(60));
  await chat.composer.press("Enter");
  await expect(chat.stopButton).toBeVisible();
  await chat.composer.fill("Ещё");
  await chat.composer.press("Enter");
  await expect(chat.root.locator("form").getByText("Ассистент ещё отвечает.")).toBeVisible();
  await visit("question during an answer");
  answer.open();
  await chat.idle();
  await chat.button("Копировать таблицу").focus();
  await visit("folded question, and a table that can be taken along");
  await chat.root.getByRole("button", { name: "Сгенерировать заново другой моделью" }).last().press("Enter");
  await expect(chat.root.getByRole("menu")).toBeVisible();
  await visit("models to write an answer again with");
  await page.keyboard.press("Escape");
  await chat.composer.fill("");
  await chat.composer.evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    document.execCommand("insertText", false, text);
  }, "Строка журнала.\n".repeat(300));
  await expect(chat.button("Вставить файлом")).toBeVisible();
  await visit("long text that may become a file");
  await chat.composer.fill("");
}
