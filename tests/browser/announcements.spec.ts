import type { Page } from "@playwright/test";
import type { Gate } from "./backend.ts";
import { gate } from "./backend.ts";
import type { ChatPage } from "./chat-page.ts";
import { text } from "./files.ts";
import { core, expect, motion, test } from "./fixtures.ts";
import { expectAnnounced, recordAnnouncements } from "./screen-reader.ts";

test.use(motion);

/** Opens a thread. Announcements that are duplicates or late precede its name, because announcements share one queue. */
async function expectNoMore(page: Page, chat: ChatPage, title: string): Promise<void> {
  await chat.rowLink(title).click();
  await expectAnnounced(page, `Открыт чат «${title}».`);
}

/** Scripts an answer in pieces. Each gate releases the piece after it. */
function answerInPieces(chat: ChatPage, ...pieces: readonly string[]): readonly Gate[] {
  const gates = pieces.map(() => gate());
  chat.site.script.answer = async function* () {
    for (const [at, delta] of pieces.entries()) {
      yield { type: "text-delta", delta };
      await gates[at]?.opened;
    }
  };
  return gates;
}

test(
  "a screen reader hears the open conversation once and in order, and no other thread",
  core,
  async ({ chat, page, console }) => {
    console.allow(/Upstream|Failed to load resource/);
    await recordAnnouncements(page);
    await chat.seed(
      {
        title: "Первый",
        turns: [
          [
            "Давний вопрос",
            () => {
              throw new Error("Давняя беда");
            },
          ],
        ],
      },
      { title: "Второй", turns: [["Вопрос", "Ответ."]] },
    );
    await chat.open();
    await expect(chat.answerTexts).toHaveText(["Ответ."]);

    const weather = answerInPieces(chat, "Ясно. Вет", "ра нет. Завтра ", "дождь");
    await chat.ask("Погода?");
    await expectAnnounced(page, "Ассистент отвечает…", "Ясно.");
    weather[0]?.open();
    await expectAnnounced(page, "Ветра нет.");
    weather[1]?.open();
    weather[2]?.open();
    await expectAnnounced(page, "Завтра дождь", "Ответ готов.");
    await chat.idle();

    const stopped = answerInPieces(chat, "Долгая история. Жил", "-был");
    await chat.ask("Расскажи");
    await expectAnnounced(page, "Ассистент отвечает…", "Долгая история.");
    // The widget shows the end at once. The server receives it later.
    const cancelled = page.waitForResponse(/run\/cancel$/);
    await page.keyboard.press("Escape");
    await expectAnnounced(page, "Жил", "Ответ остановлен.");
    await cancelled;
    stopped[0]?.open();
    await chat.idle();

    const held = gate();
    chat.site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Пробую" };
      await held.opened;
      throw new Error("Свежая беда");
    };
    await chat.ask("Сломайся");
    await expectAnnounced(page, "Ассистент отвечает…");
    held.open();
    await expectAnnounced(page, "Пробую", "Не удалось получить ответ.");

    const long = answerInPieces(chat, "Одно. Дру", "гое. Третье. Чет", "вёртое. ", "Пятое.");
    await chat.ask("Долго");
    await expectAnnounced(page, "Ассистент отвечает…", "Одно.");
    await chat.rowLink("Первый").click();
    await expect(chat.questionTexts).toHaveText(["Давний вопрос"]);
    await expectAnnounced(page, "Открыт чат «Первый».");
    long[0]?.open();
    await expect(chat.row("Второй").locator(".running-mark")).toBeAttached();
    await chat.rowLink("Второй").click();
    await expect(chat.answerTexts.last()).toContainText("Третье. Чет");
    await expectAnnounced(page, "Открыт чат «Второй».");
    long[1]?.open();
    await expectAnnounced(page, "Четвёртое.");
    long[2]?.open();
    long[3]?.open();
    await expectAnnounced(page, "Пятое.", "Ответ готов.");
    await chat.idle();

    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await chat.button("Копировать").last().click();
    await expectAnnounced(page, "Скопировано");
    await chat.newThreadButton.click();
    await expectAnnounced(page, "Открыт чат «Новый чат».");
    await expectNoMore(page, chat, "Первый");
  },
);

test("the focus names a renamed thread, and a deletion is announced", async ({ chat, page }) => {
  await recordAnnouncements(page);
  await chat.seed({ title: "Нулевой" }, { title: "Первый" }, { title: "Второй" });
  await chat.open();
  await chat.rowLink("Второй").press("F2");
  await expect(chat.root.locator(".rename-field")).toBeFocused();
  await page.keyboard.type("Другой");
  await page.keyboard.press("Enter");
  await expect(chat.rowLink("Другой")).toBeFocused();
  await chat.button("Удалить чат", chat.row("Другой")).press("Enter");
  await expectAnnounced(page, "Чат «Другой» удалён. Его можно вернуть в списке.", "Открыт чат «Первый».");
  await expect(chat.rowLink("Первый")).toBeFocused();
  await expectNoMore(page, chat, "Нулевой");
});

test("an attachment is announced when it is added, fails to upload, is refused or is removed", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/Failed to load resource/);
  await recordAnnouncements(page);
  await chat.seed({ title: "Первый" }, { title: "Второй" });
  await chat.open();
  const choose = chat.root.locator("input[type=file]");
  await choose.setInputFiles(text("раз.txt"));
  await expectAnnounced(page, "Файл «раз.txt» добавлен.");
  await chat.stub("POST", /\/attachments$/, { status: 500, body: "сломано" }, 1);
  await choose.setInputFiles(text("два.txt"));
  await expectAnnounced(
    page,
    "Не удалось загрузить файл «два.txt». Сервер не смог ответить. Попробуйте ещё раз чуть позже.",
  );
  await chat.button("Повторить: два.txt").click();
  await expectAnnounced(page, "Файл «два.txt» добавлен.");
  await choose.setInputFiles({ name: "вирус.exe", mimeType: "application/x-msdownload", buffer: Buffer.from("MZ") });
  await expectAnnounced(page, "вирус.exe: Такие файлы здесь не принимаются. Подойдут: картинки, PDF, текст.");
  await chat.button("Удалить вложение").first().click();
  await expectAnnounced(page, "Файл «раз.txt» удалён.");
  const [rest] = answerInPieces(chat, "В нём ", "текст.");
  await chat.ask("Прочти");
  await expectAnnounced(page, "Ассистент отвечает…");
  await expectNoMore(page, chat, "Первый");
  rest?.open();
});
