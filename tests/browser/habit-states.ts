import { expect } from "@playwright/test";
import type { ChatPage } from "./chat-page.ts";
import { scriptedSpeech } from "./scripted-speech.ts";
import { animationsEnd } from "./states.ts";

/** Brings the widget into the states that search, speech, the wide panel and agreement have, and runs `look` in each. */
export async function visitHabitStates(chat: ChatPage, look: (state: string) => Promise<void>): Promise<void> {
  const visit = async (state: string) => {
    await animationsEnd(chat);
    await look(state);
  };
  await chat.config({ voice: { input: true, output: true }, notice: { url: "/about-ai" }, pageUrl: "/chat" });
  const others = Array.from({ length: 30 }, (_, index) => ({ title: `Чат ${index}` }));
  await chat.seed(...others, { title: "О погоде", turns: [["Погода?", "Завтра будет ясная погода."]] });
  await chat.open("/", { head: scriptedSpeech });
  await visitSearch(chat, visit);
  await visitSpeech(chat, visit);

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
