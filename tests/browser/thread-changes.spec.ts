import { gate, textEvents } from "./backend.ts";
import type { ChatPage } from "./chat-page.ts";
import { both, core, coreOnBoth, expect, motion, test } from "./fixtures.ts";

test.use(motion);

/** Types a new title into a row's field. The backend rejects it. */
async function typeRejectedTitle(chat: ChatPage): Promise<void> {
  await chat.seed({ title: "Было", turns: [["а", "б"]] });
  await chat.open();
  await chat.stub("POST", /\/rename$/, { status: 500, body: "сломано" });
  await chat.rowLink("Было").press("F2");
  await chat.sidebar.getByRole("textbox").fill("Стало");
}

test.describe("renaming", () => {
  test(
    "opens a field, sends the title on Enter and shows it after the response",
    coreOnBoth,
    async ({ chat, page }) => {
      await chat.seed({ title: "Было", turns: [["а", "б"]] });
      await chat.open();
      const held = gate();
      await page.route(/\/rename$/, async (route) => {
        await held.opened;
        await route.fallback();
      });
      const asked = page.waitForRequest(/\/rename$/);
      await chat.row("Было").hover();
      await chat.button("Переименовать чат", chat.row("Было")).click();
      const field = chat.sidebar.getByRole("textbox");
      await expect(field).toBeFocused();
      await expect(field).toHaveValue("Было");
      await field.fill("  Стало  ");
      await field.press("Enter");
      const request = await asked;
      expect(request.method()).toBe("POST");
      expect(request.postDataJSON()).toEqual({ title: "Стало" });
      await expect(chat.title).toHaveText("Было");
      held.open();
      await expect(chat.title).toHaveText("Стало");
      await expect(chat.row("Стало")).toHaveCount(1);
      await page.reload();
      await expect(chat.row("Стало")).toHaveCount(1);
    },
  );

  test("keeps the title and sends no request on Escape", async ({ chat, page }) => {
    await chat.seed({ title: "Было", turns: [["а", "б"]] });
    await chat.open();
    let asked = 0;
    page.on("request", (request) => void (request.url().endsWith("/rename") && (asked += 1)));
    await chat.row("Было").hover();
    await chat.button("Переименовать чат", chat.row("Было")).click();
    await chat.sidebar.getByRole("textbox").fill("Стало");
    await chat.sidebar.getByRole("textbox").press("Escape");
    await expect(chat.sidebar.getByRole("textbox")).toHaveCount(0);
    await expect(chat.row("Было")).toHaveCount(1);
    expect(asked).toBe(0);
  });

  test("keeps the old title and shows an alert at the row when it fails", async ({ chat, console }) => {
    console.allow(/Failed to load resource/);
    await chat.seed({ title: "Было", turns: [["а", "б"]] });
    await chat.open();
    await chat.stub("POST", /\/rename$/, { status: 500, body: "сломано" });
    await chat.row("Было").hover();
    await chat.button("Переименовать чат", chat.row("Было")).click();
    await chat.sidebar.getByRole("textbox").fill("Стало");
    await chat.sidebar.getByRole("textbox").press("Enter");
    await expect(chat.sidebar.locator(".thread-row-failure")).toBeVisible();
    await expect(chat.title).toHaveText("Было");
  });

  test("removes its failure when the field closes", async ({ chat, console }) => {
    console.allow(/Failed to load resource/);
    await typeRejectedTitle(chat);
    await chat.sidebar.getByRole("textbox").press("Enter");
    await expect(chat.sidebar.locator(".thread-row-failure")).toContainText("переименовать");
    await chat.sidebar.getByRole("textbox").press("Escape");
    await expect(chat.rowLink("Было")).toBeFocused();
    await expect(chat.sidebar.locator(".thread-row-failure")).toHaveCount(0);
    await expect(chat.retryButton).toHaveCount(0);
    await chat.rowLink("Было").press("F2");
    await expect(chat.sidebar.getByRole("textbox")).toBeFocused();
    await expect(chat.sidebar.locator(".thread-row-failure")).toHaveCount(0);
  });

  test("does not take the focus back when it fails after the visitor has left the field", async ({ chat, console }) => {
    console.allow(/Failed to load resource/);
    await typeRejectedTitle(chat);
    await chat.composer.click();
    await expect(chat.sidebar.locator(".thread-row-failure")).toContainText("переименовать");
    await expect(chat.composer).toBeFocused();
    await expect(chat.sidebar.getByRole("textbox")).toHaveValue("Стало");
  });
});

test.describe("archiving", () => {
  const three = [
    { title: "Первый", at: new Date("2026-03-03T10:00:00Z"), turns: [["вопрос 1", "ответ 1"]] },
    { title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["вопрос 2", "ответ 2"]] },
    { title: "Третий", at: new Date("2026-03-01T10:00:00Z"), turns: [["вопрос 3", "ответ 3"]] },
  ] as const;

  test(
    "with «Удалить чат» sends one request with an empty object, and removes the row",
    coreOnBoth,
    async ({ chat, page }) => {
      const [, , third] = await chat.seed(...three);
      await chat.open();
      const asked = page.waitForRequest(/\/archive$/);
      await chat.row("Третий").hover();
      await chat.button("Удалить чат", chat.row("Третий")).click();
      const request = await asked;
      expect(new URL(request.url()).pathname).toBe(`/api/debug/threads/${third}/archive`);
      expect(request.postDataJSON()).toEqual({});
      await expect(chat.threads).toHaveText([/Первый/, /Второй/]);
      await expect(chat.title).toHaveText("Первый");
      await page.reload();
      await expect(chat.threads).toHaveText([/Первый/, /Второй/]);
    },
  );

  test("activates the thread below, or the thread above when the last one is archived", core, async ({ chat }) => {
    await chat.seed(...three);
    await chat.open();
    await chat.rowLink("Второй").click();
    await expect(chat.title).toHaveText("Второй");
    await chat.row("Второй").hover();
    await chat.button("Удалить чат", chat.row("Второй")).click();
    await expect(chat.title).toHaveText("Третий");
    await expect(chat.questionTexts).toHaveText(["вопрос 3"]);
    await chat.row("Третий").hover();
    await chat.button("Удалить чат", chat.row("Третий")).click();
    await expect(chat.title).toHaveText("Первый");
    await expect(chat.questionTexts).toHaveText(["вопрос 1"]);
  });

  test("creates a new thread when none is left", coreOnBoth, async ({ chat }) => {
    const [only] = await chat.seed({ title: "Один", turns: [["а", "б"]] });
    await chat.open();
    await chat.row("Один").hover();
    await chat.button("Удалить чат", chat.row("Один")).click();
    await expect(chat.threads).toHaveText([/New Chat/]);
    await expect.poll(() => [only, ""].includes(chat.threadId())).toBe(false);
    await expect(chat.root.getByText("Привет!")).toBeVisible();
  });

  test("keeps the thread and shows an alert when it fails", async ({ chat, console }) => {
    console.allow(/Failed to load resource/);
    await chat.seed(...three);
    await chat.open();
    await chat.stub("POST", /\/archive$/, { status: 500, body: "сломано" });
    await chat.row("Второй").hover();
    await chat.button("Удалить чат", chat.row("Второй")).click();
    await expect(chat.sidebar.locator(".thread-row-failure")).toBeVisible();
    await expect(chat.threads).toHaveCount(3);
  });
});

test.describe("a thread in the background", () => {
  test("continues its run, and the list marks it", both, async ({ chat, site }) => {
    const held = gate();
    await chat.seed({ title: "Другой", at: new Date("2026-03-01T10:00:00Z"), turns: [["а", "б"]] });
    await chat.open();
    site.script.title = "Долгий разговор";
    site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Начало" };
      await held.opened;
      yield { type: "text-delta", delta: " и конец." };
    };
    await chat.newThreadButton.click();
    await expect(chat.threads).toHaveCount(2);
    await chat.ask("Долгий вопрос");
    await expect(chat.answerTexts).toHaveText([/Начало/]);
    const running = chat.sidebar.locator(".running-mark");
    await expect(running).toHaveCSS("animation-name", "none");
    await chat.rowLink("Другой").click();
    await expect(chat.questionTexts).toHaveText(["а"]);
    await expect(chat.sendButton).toBeVisible();
    await expect(running).toHaveCSS("animation-name", "breathe");
    held.open();
    await expect(running).toHaveCount(0);
    await chat.rowLink("Долгий разговор").click();
    await expect(chat.answerTexts).toHaveText([/Начало и конец\./]);
    await chat.idle();
  });

  test("moves to the top of the list when its answer ends", coreOnBoth, async ({ chat, site }) => {
    const held = gate();
    site.script.answer = async function* ({ text }) {
      yield { type: "text-delta", delta: `Отвечаю ${text}` };
      if (text === "долго") await held.opened;
    };
    await chat.seed({ title: "Долгий" }, { title: "Быстрый", at: new Date("2026-03-01T10:00:00Z") });
    await chat.open();
    await chat.ask("долго");
    await expect(chat.answerTexts).toContainText(["Отвечаю долго"]);
    await chat.rowLink("Быстрый").click();
    await expect(chat.messages).toHaveCount(0);
    await chat.converse("быстро");
    await expect(chat.threads).toHaveText([/Быстрый/, /Долгий/]);
    held.open();
    await expect(chat.threads).toHaveText([/Долгий/, /Быстрый/]);
  });

  test("runs beside the open thread, and their answers stay apart", both, async ({ chat, site }) => {
    const held = gate();
    site.script.answer = async function* ({ text }) {
      yield { type: "text-delta", delta: `Про ${text}: ` };
      await held.opened;
      yield { type: "text-delta", delta: `это ${text}.` };
    };
    await chat.seed({ title: "Кошки" }, { title: "Собаки", at: new Date("2026-03-01T10:00:00Z") });
    await chat.open();
    await chat.ask("кошек");
    await expect(chat.answerTexts).toHaveText([/Про кошек:/]);
    await chat.rowLink("Собаки").click();
    await chat.ask("собак");
    await expect(chat.answerTexts).toHaveText([/Про собак:/]);
    held.open();
    await expect(chat.answerTexts).toHaveText([/Про собак: это собак\./]);
    await chat.rowLink("Кошки").click();
    await expect(chat.answerTexts).toHaveText([/Про кошек: это кошек\./]);
  });
});

test("a thread that another tab creates does not affect the open one", both, async ({ chat, site }) => {
  await chat.open();
  await chat.seed({ title: "Из другого окна", turns: [["а", "б"]] });
  site.script.answer = () => textEvents("Ответ как ни в чём не бывало");
  await chat.converse("Привет");
  await expect(chat.answerTexts).toHaveText([/как ни в чём не бывало/]);
});

test("the list shows pending changes as busy", async ({ chat, page }) => {
  await chat.seed({ title: "Первый", turns: [["а", "б"]] }, { title: "Второй", turns: [["а", "б"]] });
  await chat.open();
  const held = gate();
  await page.route(/\/(threads|archive|rename)$/, async (route) => {
    if (route.request().method() === "POST") await held.opened;
    await route.fallback();
  });
  const busy = chat.sidebar.locator('[aria-busy="true"]');
  await chat.newThreadButton.click();
  await expect(chat.newThreadButton).toHaveAttribute("aria-busy", "true");
  await chat.row("Первый").hover();
  await chat.button("Удалить чат", chat.row("Первый")).click();
  await expect(chat.row("Первый")).toHaveAttribute("aria-busy", "true");
  await chat.row("Второй").hover();
  await chat.button("Переименовать чат", chat.row("Второй")).click();
  await chat.sidebar.getByRole("textbox").fill("Третий");
  await chat.sidebar.getByRole("textbox").press("Enter");
  await expect(busy).toHaveCount(3);
  await expect(busy.last()).toHaveCSS("animation-name", "breathe");
  held.open();
  await expect(busy).toHaveCount(0);
  await expect(chat.row("Первый")).toHaveCount(0);
  await expect(chat.row("Третий")).toHaveCount(1);
});
