import type { Gate } from "./backend.ts";
import { gate } from "./backend.ts";
import type { ChatPage } from "./chat-page.ts";
import { core, expect, test } from "./fixtures.ts";

/** Scripts an answer of three pieces. The two gates release the second and the third. */
function inPieces(chat: ChatPage): readonly [Gate, Gate] {
  const [second, third] = [gate(), gate()];
  chat.site.script.answer = async function* () {
    yield { type: "text-delta", delta: "раз " };
    await second.opened;
    yield { type: "text-delta", delta: "два " };
    await third.opened;
    yield { type: "text-delta", delta: "три" };
  };
  return [second, third];
}

test.describe("a run", () => {
  test("continues after a reload, with each word once", core, async ({ chat, page }) => {
    const [second, third] = inPieces(chat);
    await chat.open();
    await chat.ask("Считай");
    await expect(chat.answerTexts).toHaveText(["раз"]);
    await page.reload();
    await expect(chat.answerTexts).toHaveText(["раз"]);
    await expect(chat.stopButton).toBeVisible();
    second.open();
    await expect(chat.answerTexts).toHaveText(["раз два"]);
    third.open();
    await expect(chat.answerTexts).toHaveText(["раз два три"]);
    await chat.idle();
    await expect(chat.messages).toHaveCount(2);
    await page.reload();
    await expect(chat.answerTexts).toHaveText(["раз два три"]);
    await expect(chat.messages).toHaveCount(2);
  });

  test("is rejoined automatically after its connection breaks", core, async ({ chat, site, console }) => {
    console.allow(/Failed to load resource|ERR_/);
    const [second, third] = inPieces(chat);
    await chat.open();
    await chat.ask("Считай");
    await expect(chat.answerTexts).toHaveText(["раз"]);
    expect(site.dropStreams()).toBe(1);
    second.open();
    await expect(chat.answerTexts).toHaveText(["раз два"]);
    expect(site.dropStreams()).toBe(1);
    third.open();
    await expect(chat.answerTexts).toHaveText(["раз два три"]);
    await chat.idle();
    await expect(chat.answers.locator(chat.failure)).toHaveCount(0);
    await expect(chat.messages).toHaveCount(2);
  });

  test(
    "is rejoined at the online event, even if it has ended meanwhile",
    core,
    async ({ chat, site, console, page }) => {
      console.allow(/Failed to load resource|ERR_/);
      const [second, third] = inPieces(chat);
      await chat.open();
      await chat.ask("Считай");
      await expect(chat.answerTexts).toHaveText(["раз"]);
      site.setOffline(true);
      site.dropStreams();
      second.open();
      third.open();
      await expect(chat.root.getByText(/Восстанавливаю связь/).first()).toBeVisible();
      await expect(chat.answerTexts).not.toContainText(["два"]);
      site.setOffline(false);
      await page.evaluate(() => dispatchEvent(new Event("online")));
      await expect(chat.answerTexts).toHaveText(["раз два три"]);
      await chat.idle();
      await expect(chat.answers.locator(chat.failure)).toHaveCount(0);
    },
  );

  test("can be followed and stopped from another tab", core, async ({ chat, page, site, context }) => {
    const { ChatPage } = await import("./chat-page.ts");
    const [second] = inPieces(chat);
    await chat.open();
    await chat.ask("Считай");
    await expect(chat.answerTexts).toHaveText(["раз"]);
    const other = new ChatPage(await context.newPage(), site);
    await other.open(new URL(page.url()).pathname);
    await expect(other.answerTexts).toHaveText(["раз"]);
    second.open();
    await expect(other.answerTexts).toHaveText(["раз два"]);
    await expect(chat.answerTexts).toHaveText(["раз два"]);
    await other.stopButton.click();
    await other.idle();
    await chat.idle();
    await expect(chat.answerTexts).toContainText(["раз два"]);
  });

  test(
    "that another tab begins is followed by a tab that the visitor comes back to",
    core,
    async ({ chat, page, site, context }) => {
      const { ChatPage } = await import("./chat-page.ts");
      const [second, third] = inPieces(chat);
      await chat.open();
      const other = new ChatPage(await context.newPage(), site);
      await other.open(new URL(page.url()).pathname);
      await other.ask("Считай");
      await expect(other.answerTexts).toHaveText(["раз"]);
      await expect(chat.messages).toHaveCount(0);
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      await expect(chat.answerTexts).toHaveText(["раз"]);
      second.open();
      third.open();
      await expect(chat.answerTexts).toHaveText(["раз два три"]);
      await chat.idle();
      await expect(chat.questionTexts).toHaveText(["Считай"]);
    },
  );

  test(
    "is shown in its place by a tab that was offline while another tab started it",
    core,
    async ({ chat, page, site, context, console }) => {
      console.allow(/Failed to load resource|ERR_/);
      const { ChatPage } = await import("./chat-page.ts");
      const [firstEnd, secondEnd] = [gate(), gate()];
      site.script.answer = async function* ({ text }) {
        yield { type: "text-delta", delta: `${text} начат` };
        await (text === "Первый" ? firstEnd : secondEnd).opened;
        yield { type: "text-delta", delta: ", кончен" };
      };
      await chat.open();
      await chat.ask("Первый");
      await expect(chat.answerTexts).toHaveText(["Первый начат"]);
      const other = new ChatPage(await context.newPage(), site);
      await other.open(new URL(page.url()).pathname);
      await expect(other.answerTexts).toHaveText(["Первый начат"]);
      await page.route(/run\/stream/, (route) => route.abort("internetdisconnected"));
      site.dropStreams();
      firstEnd.open();
      await expect(other.answerTexts).toHaveText(["Первый начат, кончен"]);
      await other.ask("Второй");
      await expect(other.answerTexts).toHaveText(["Первый начат, кончен", "Второй начат"]);
      await page.unroute(/run\/stream/);
      await page.evaluate(() => dispatchEvent(new Event("online")));
      await expect(chat.answerTexts).toHaveText(["Первый начат, кончен", "Второй начат"]);
      secondEnd.open();
      const whole = ["Первый начат, кончен", "Второй начат, кончен"];
      await expect(chat.answerTexts).toHaveText(whole);
      await expect(other.answerTexts).toHaveText(whole);
      await chat.idle();
      await expect(chat.answers.locator(chat.failure)).toHaveCount(0);
    },
  );

  test("ends on the server when the visitor stops it, and keeps the text so far", core, async ({ chat, page }) => {
    const [second, third] = inPieces(chat);
    await chat.open();
    await chat.ask("Считай");
    await expect(chat.answerTexts).toHaveText(["раз"]);
    const cancelled = page.waitForResponse(/run\/cancel$/);
    await chat.stopButton.click();
    expect((await cancelled).ok()).toBe(true);
    second.open();
    third.open();
    await chat.idle();
    await page.reload();
    await expect(chat.answerTexts).toContainText(["раз"]);
    await expect(chat.answerTexts).not.toContainText(["два"]);
    expect((await chat.stored()).at(-1)?.status).toMatchObject({ type: "incomplete", reason: "cancelled" });
    await expect(chat.answers.locator(chat.failure)).toHaveCount(0);
  });

  test("continues while the visitor opens another thread and comes back", core, async ({ chat, page }) => {
    await chat.seed({ title: "Другой", at: new Date("2026-03-01T10:00:00Z"), turns: [["а", "б"]] });
    const [second, third] = inPieces(chat);
    await chat.open();
    await chat.newThreadButton.click();
    await expect(chat.messages).toHaveCount(0);
    await chat.ask("Считай");
    await expect(chat.answerTexts).toHaveText(["раз"]);
    await chat.rowLink("Другой").click();
    await expect(chat.questionTexts).toHaveText(["а"]);
    second.open();
    await page.goBack();
    await expect(chat.answerTexts).toHaveText(["раз два"]);
    third.open();
    await expect(chat.answerTexts).toHaveText(["раз два три"]);
  });

  test("starts only once when the response to its question is lost", core, async ({ chat, page, console, site }) => {
    console.allow(/./);
    let runs = 0;
    site.script.answer = ({ text }) => {
      runs += 1;
      return [{ type: "text-delta", delta: `Ответ ${runs} на ${text}` }];
    };
    await chat.open();
    // The server gets the question, but its response does not reach the page.
    let lost = false;
    await page.route(/run\/stream/, async (route) => {
      if (lost || route.request().method() !== "POST") return route.fallback();
      lost = true;
      await route.fetch();
      return route.abort("connectionreset");
    });
    await chat.ask("Вопрос");
    await chat.recover(/Ответ 1 на Вопрос/);
    await expect(chat.questions).toHaveCount(1);
    expect(runs).toBe(1);
    await page.reload();
    await expect(chat.messages).toHaveCount(2);
  });
});
