/** Announcements while a sheet, a picture, a menu or the launcher's panel is open, when the rest of the page is inert. */
import type { Locator, Page } from "@playwright/test";
import { gate, textEvents } from "./backend.ts";
import type { Gate } from "./backend.ts";
import type { ChatPage } from "./chat-page.ts";
import { dataUrl, png, text } from "./files.ts";
import { coreIf, expect, motion, test } from "./fixtures.ts";
import { expectAnnounced, recordAnnouncements } from "./screen-reader.ts";
import { callServer } from "./visitor-calls.ts";

test.use(motion);

const phone = { width: 390, height: 800 };
const failing = { status: 500, body: "сломано" } as const;
const unanswered = "Сервер не смог ответить. Попробуйте ещё раз чуть позже.";

/** Opens the chat in the launcher's panel, which is modal on a phone. */
async function openPanel(chat: ChatPage): Promise<void> {
  await chat.goto("/", { options: `{ layout: "launcher" }`, body: `<p>Страница</p>` });
  await chat.button("Открыть чат").click();
  await chat.opened();
}

/** Opens something over the conversation and closes it. */
interface Overlay {
  readonly name: string;
  readonly open: (chat: ChatPage) => Promise<Locator>;
}

const overlays: readonly Overlay[] = [
  {
    name: "the sheet",
    open: async (chat) => {
      await chat.sidebarToggle.click();
      return chat.root.getByRole("dialog", { name: "Боковая панель" });
    },
  },
  {
    name: "a picture",
    open: async (chat) => {
      await chat.answers.getByRole("button", { name: /^Открыть/ }).click();
      return chat.preview;
    },
  },
  {
    name: "the menu of models",
    open: async (chat) => {
      await chat.root.getByRole("button", { name: /Модель/ }).click();
      return chat.root.getByRole("menu");
    },
  },
];

/** A thread whose answer has a picture, and a choice of models. */
async function openPhone(chat: ChatPage, page: Page): Promise<void> {
  await page.setViewportSize(phone);
  await recordAnnouncements(page);
  await chat.config({
    models: [
      { id: "scripted", name: "Быстрая" },
      { id: "other", name: "Умная" },
    ],
    model: "scripted",
  });
  const picture = () => [...textEvents("Вот."), { type: "file", url: dataUrl(png()), mediaType: "image/png" }];
  await chat.seed({ title: "Первый" }, { title: "Второй", turns: [["Покажи", picture]] });
  await openPanel(chat);
  await expect(chat.answerTexts).toHaveCount(1);
}

for (const { name, open } of overlays) {
  test(
    `the answer and its end are announced over ${name}`,
    coreIf(name === "the sheet"),
    async ({ chat, page, console }) => {
      console.allow(/Upstream|Failed to load resource|ERR_/);
      await openPhone(chat, page);
      const gates: readonly Gate[] = [gate(), gate()];
      chat.site.script.answer = async function* ({ visitor }) {
        yield { type: "text-delta", delta: "Сначала. Пот" };
        await gates[0]?.opened;
        yield { type: "text-delta", delta: "ом. " };
        await gates[1]?.opened;
        yield { type: "data-progress", data: "Ищу в каталоге" };
        yield* callServer(visitor, { toolName: "cancel_order" });
      };
      await chat.ask("Вопрос");
      await expectAnnounced(page, "Ассистент отвечает…", "Сначала.");
      const overlay = await open(chat);
      await expect(overlay).toBeVisible();
      gates[0]?.open();
      await expectAnnounced(page, "Потом.");
      gates[1]?.open();
      await expectAnnounced(page, "Ищу в каталоге", "Нужно ваше разрешение: cancel_order");
      await page.context().setOffline(true);
      await expectAnnounced(page, "Нет сети. Сообщение отправится, как только связь восстановится.");
      await page.context().setOffline(false);
      await expect(overlay).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(overlay).toBeHidden();
      await chat.button("Отклонить").click();
      await chat.idle();
      await expectAnnounced(page, "Ответ готов.");
    },
  );

  test(`an answer that fails is announced over ${name}, and so is one that is stopped below it`, async ({
    chat,
    page,
    console,
  }) => {
    console.allow(/Upstream|Failed to load resource/);
    await openPhone(chat, page);
    const held = gate();
    chat.site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Пробую" };
      await held.opened;
      throw new Error("Свежая беда");
    };
    await chat.ask("Сломайся");
    await expectAnnounced(page, "Ассистент отвечает…");
    const overlay = await open(chat);
    await expect(overlay).toBeVisible();
    held.open();
    await expectAnnounced(page, "Пробую", "Не удалось получить ответ.");
    await page.keyboard.press("Escape");
    await expect(overlay).toBeHidden();
    // The box is announced once. Its text is not announced again when it is unfolded or the dialog has closed.
    await chat.retryButton.focus();
    const answered = gate();
    chat.site.script.answer = async function* () {
      await answered.opened;
      yield* textEvents("Теперь ясно.");
    };
    await chat.retryButton.click();
    await expectAnnounced(page, "Ассистент отвечает…");
    answered.open();
    await expectAnnounced(page, "Теперь ясно.", "Ответ готов.");
  });
}

test("actions in the sheet are announced: a deletion, its failure, a new name, and the chat that opens", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/Failed to load resource/);
  await openPhone(chat, page);
  await chat.sidebarToggle.click();
  const sheet = chat.root.getByRole("dialog", { name: "Боковая панель" });
  await expect(sheet).toBeVisible();
  await chat.stub("POST", /\/archive$/, failing, 1);
  await chat
    .row("Первый")
    .getByRole("button", { name: /^Удалить чат/ })
    .click();
  await expectAnnounced(page, `Не удалось удалить чат. ${unanswered}`);
  await chat.stub("POST", /\/rename$/, failing, 1);
  await chat.rowLink("Первый").press("F2");
  await expect(chat.root.getByRole("textbox", { name: "Название чата" })).toBeFocused();
  await page.keyboard.type("Другой");
  await page.keyboard.press("Enter");
  await expectAnnounced(page, `Не удалось переименовать чат. ${unanswered}`);
  await page.keyboard.press("Escape");
  await chat
    .row("Первый")
    .getByRole("button", { name: /^Удалить чат/ })
    .click();
  await expectAnnounced(page, "Чат «Первый» удалён. Его можно вернуть в списке.");
  await chat.stub("POST", /\/threads$/, failing, 1);
  await chat.newThreadButton.click();
  await expectAnnounced(page, `Не удалось начать новый чат. ${unanswered}`);
  await chat.rowLink("Второй").click();
  await expect(sheet).toBeHidden();
});

test("a list that cannot be loaded is announced in the sheet", async ({ chat, page, console }) => {
  console.allow(/Failed to load resource/);
  await page.setViewportSize(phone);
  await recordAnnouncements(page);
  await chat.stub("GET", /\/threads$/, failing);
  await chat.goto("/", { options: `{ layout: "launcher" }`, body: `<p>Страница</p>` });
  await chat.button("Открыть чат").click();
  await expectAnnounced(page, `Не удалось загрузить чаты. ${unanswered}`);
  await chat.sidebarToggle.click();
  await expectAnnounced(page, `Не удалось загрузить чаты. ${unanswered}`);
});

for (const width of [390, 1280]) {
  test(`in the launcher's panel everything is announced (${width} px)`, async ({ chat, page, console }) => {
    console.allow(/Failed to load resource|Upstream/);
    await page.setViewportSize({ width, height: 800 });
    await recordAnnouncements(page);
    await openPanel(chat);
    const choose = chat.root.locator("input[type=file]");
    await choose.setInputFiles(text("раз.txt"));
    await expectAnnounced(page, "Файл «раз.txt» добавлен.");
    await chat.root.getByRole("button", { name: /^Удалить вложение/ }).click();
    await expectAnnounced(page, "Файл «раз.txt» удалён.");
    await choose.setInputFiles({ name: "вирус.exe", mimeType: "application/x-msdownload", buffer: Buffer.from("MZ") });
    await expectAnnounced(page, "вирус.exe: Такие файлы здесь не принимаются. Подойдут: картинки, PDF, текст.");
    const refusal = gate();
    await page.route(/run\/stream/, async (route) => {
      await refusal.opened;
      await route.fulfill({ status: 413, body: "" });
    });
    await chat.ask("Много");
    await expectAnnounced(page, "Ассистент отвечает…");
    refusal.open();
    await expectAnnounced(page, "Сообщение слишком большое. Сократите текст или уберите вложения. (Upstream 413: )");
  });
}
