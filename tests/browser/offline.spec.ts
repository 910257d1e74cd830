import type { ChatPage } from "./chat-page.ts";
import { both, coreOnBoth, expect, test } from "./fixtures.ts";

const note = (chat: ChatPage) => chat.root.locator(".offline-note").getByText("Нет сети.");

test(
  "a question that is asked offline waits, and is sent once when the network is back",
  coreOnBoth,
  async ({ chat, page, context, console }) => {
    console.allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
    await chat.open();
    await chat.converse("Первый");
    await expect(note(chat)).toHaveCount(0);
    const sent: string[] = [];
    page.on("response", (response) => response.url().includes("/run/stream") && sent.push(response.request().method()));
    await context.setOffline(true);
    await expect(note(chat)).toBeVisible();
    await chat.ask("Второй");
    await expect(chat.answerTexts.last()).toContainText("Восстанавливаю связь…");
    await context.setOffline(false);
    await expect(chat.answerTexts.last()).toHaveText("Ответ на «Второй».");
    await expect(note(chat)).toHaveCount(0);
    await chat.idle();
    expect(sent).toEqual(["POST"]);
    expect((await chat.stored()).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  },
);

test(
  "the stop button returns a question that waits for the network to the composer, and nothing is sent",
  both,
  async ({ chat, context, console }) => {
    console.allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
    await chat.open();
    await chat.converse("Первый");
    await context.setOffline(true);
    await chat.ask("Второй");
    await expect(chat.answerTexts.last()).toContainText("Восстанавливаю связь…");
    await chat.stopButton.click();
    await expect(chat.composer).toHaveValue("Второй");
    await expect(chat.questionTexts).toHaveText(["Первый"]);
    await context.setOffline(false);
    await chat.idle();
    await chat.composer.press("Enter");
    await expect(chat.answerTexts.last()).toHaveText("Ответ на «Второй».");
    expect((await chat.stored()).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  },
);

test(
  "a reload returns a question that waits for the network to the composer, and it is sent once",
  coreOnBoth,
  async ({ chat, site, page, context, console }) => {
    console.allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE|Upstream 0/);
    await chat.open();
    await chat.composer.fill("Первый");
    await chat.composer.press("Enter");
    await chat.idle();
    await context.setOffline(true);
    await chat.ask("Второй");
    await expect(chat.answerTexts.last()).toContainText("Восстанавливаю связь…");
    // The reload needs the network, but the waiting question must not use it. A request survives its page and then bypasses the
    // page's routes, so the site breaks it.
    site.setOffline(/run\/stream/);
    await context.setOffline(false);
    await page.reload();
    await expect(chat.composer).toHaveValue("Второй");
    await expect(chat.questionTexts).toHaveText(["Первый"]);
    site.setOffline(false);
    await chat.composer.press("Enter");
    await expect(chat.answerTexts.last()).toHaveText("Ответ на «Второй».");
    await chat.idle();
    expect((await chat.stored()).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    await page.reload();
    await expect(chat.questionTexts).toHaveText(["Первый", "Второй"]);
    await expect(chat.composer).toHaveValue("");
  },
);

test(
  "an unreachable server is reported at the question, and gets it once after «Повторить»",
  coreOnBoth,
  async ({ chat, page, site, console }) => {
    console.allow(/Failed to load resource|ERR_EMPTY_RESPONSE|Upstream|Failed to fetch/);
    await page.clock.install();
    await chat.open();
    await chat.converse("Первый");
    site.setOffline(true);
    await chat.ask("Второй");
    // The question is posted again for 20 s.
    await chat.tickUntil(500, async () => (await chat.failures.count()) > 0);
    await expect(chat.failures).toContainText("Нет связи с сервером.");
    site.setOffline(false);
    await chat.retryButton.click();
    await expect(chat.answerTexts.last()).toHaveText("Ответ на «Второй».");
    expect((await chat.stored()).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  },
);
