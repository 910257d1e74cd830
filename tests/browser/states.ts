import { expect } from "@playwright/test";
import { gate, textEvents } from "./backend.ts";
import type { ChatPage } from "./chat-page.ts";
import { dataUrl, png, text } from "./files.ts";
import type { HostPageOptions } from "./host-page.ts";
import { callServer } from "./visitor-calls.ts";

const markdown = `# Раз

## Два

Абзац с [ссылкой](https://example.com/) и \`кодом\`: частнопредпринимательский.

\`\`\`js
const long = "строка, которая не помещается ни в одно окно без прокрутки внутри самого кода, и ещё немного";
\`\`\`

| а | б | в |
| - | - | - |
| 1 | 2 | содержание ячейки, которое длиннее прочих |

- [x] дело

Сноска[^1].

[^1]: Текст.
`;

const orderToCancel = {
  order: 4521,
  reason: "Частнопредпринимательский покупатель передумал. ".repeat(12),
  items: [
    { sku: "кружка-синяя", count: 2 },
    { sku: "чайник", count: 1 },
  ],
};

function everyPart() {
  return [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "Размышление" },
    { type: "reasoning-end", id: "r" },
    { type: "tool-input-available", toolCallId: "c", toolName: "weather", input: { city: "Москва" } },
    { type: "tool-output-available", toolCallId: "c", output: { sky: "ясно" } },
    ...textEvents(markdown),
    { type: "source-url", sourceId: "s", url: "https://example.com/", title: "Источник" },
    { type: "file", url: dataUrl(png()), mediaType: "image/png", filename: "х.png" },
    { type: "file", url: dataUrl(text()), mediaType: "text/plain", filename: "заметка.txt" },
  ];
}

/**
 * Brings the widget into each of its visible states and runs `look` in each. It needs our own server, because the plain
 * backend takes no uploads.
 */
export async function visitStates(
  chat: ChatPage,
  look: (state: string) => Promise<void>,
  host: HostPageOptions = {},
): Promise<void> {
  const { page, site } = chat;
  const visit = async (state: string) => {
    await animationsEnd(chat);
    await look(state);
  };
  await chat.seed(
    { title: "Закрытый" },
    { title: "Всё сразу", turns: [["Покажи всё", everyPart]] },
    { title: "Пустой" },
  );
  await chat.config({
    models: [
      { id: "scripted", name: "Быстрая" },
      { id: "other", name: "Умная" },
    ],
    model: "scripted",
  });
  const list = await chat.holdThreadList();
  await chat.goto("/", host);
  if (host.options?.includes("launcher")) {
    await visit("closed launcher");
    await chat.button("Открыть чат").click();
  }
  await expect(chat.composer).toBeVisible();
  await visit("list that is loading");
  list.open();
  await chat.opened();
  await visit("empty thread");

  await visitList(chat, visit);
  await visitConversation(chat, visit);
  await visitAttachments(chat, visit);

  site.script.answer = ({ visitor }) => callServer(visitor, { toolName: "cancel_order", input: orderToCancel });
  await chat.ask("Отмени заказ");
  await expect(chat.button("Разрешить")).toBeVisible();
  await visit("tool call that waits for the visitor");
  await chat.button("Отклонить").click();
  await chat.idle();
  await visit("tool call that was denied");

  const held = gate();
  site.script.answer = async function* () {
    yield* everyPart().slice(0, 4);
    yield { type: "text-delta", delta: "Пишу" };
    await held.opened;
    throw new Error("Сломалось. ".repeat(60));
  };
  await chat.ask("Ещё");
  await expect(chat.answerTexts.last()).toContainText("Пишу");
  await visit("running answer");
  held.open();
  await chat.idle();
  await expect(chat.button("Повторить", chat.answers.last())).toBeVisible();
  await visit("failed answer");

  await page.route(/\/messages$/, (route) => route.fulfill({ status: 500, body: "сломано" }), { times: 1 });
  await openList(chat);
  await chat.rowLink("Закрытый").click();
  await expect(chat.button("Повторить", chat.root.locator(".chat"))).toBeVisible();
  await visit("history that failed");
}

/** Waits until all finite animations have ended. */
export async function animationsEnd(chat: ChatPage): Promise<void> {
  await chat.root.evaluate(async (element) => {
    const moving = element.shadowRoot?.getAnimations() ?? [];
    const ending = moving.filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Opens the thread list, even if it is a sheet. */
async function openList(chat: ChatPage): Promise<void> {
  if (await chat.newThreadButton.isHidden()) await chat.sidebarToggle.click();
  await expect(chat.newThreadButton).toBeVisible();
}

async function visitList(chat: ChatPage, visit: (state: string) => Promise<void>): Promise<void> {
  await openList(chat);
  await chat.row("Всё сразу").hover();
  await visit("list");
  await chat.button("Переименовать чат", chat.row("Всё сразу")).click();
  await expect(chat.root.getByRole("textbox", { name: "Название чата" })).toBeFocused();
  await visit("title that is being changed");
  await chat.page.keyboard.press("Escape");
  await chat.page.route(/\/archive$/, (route) => route.fulfill({ status: 500, body: "сломано" }), { times: 1 });
  await chat.button("Удалить чат", chat.row("Всё сразу")).click();
  await expect(chat.retryButton).toBeVisible();
  await visit("archiving that failed");
  await chat.rowLink("Всё сразу").click();
  await expect(chat.answers).toHaveCount(1);
}

async function visitConversation(chat: ChatPage, visit: (state: string) => Promise<void>): Promise<void> {
  await visit("conversation");
  const folded = chat.answers.locator("button[aria-expanded=false]:not([aria-haspopup])");
  while ((await folded.count()) > 0) await folded.first().click();
  await chat.questions.first().scrollIntoViewIfNeeded();
  await visit("conversation with everything unfolded");
  for (const [name, state] of [
    [/^Модель: /, "menu of models"],
    ["Действия с чатом", "menu of the chat"],
  ] as const) {
    await chat.header.getByRole("button", { name }).click();
    await expect(chat.root.getByRole("menu")).toBeVisible();
    await visit(state);
    await chat.page.keyboard.press("Escape");
  }
  await chat.answers.getByRole("button", { name: "Открыть картинку из\u00a0ответа" }).click();
  await expect(chat.preview).toBeVisible();
  await visit("image preview");
  await chat.page.keyboard.press("Escape");
  await chat.button("Редактировать").click();
  await visit("question that is being changed");
  await chat.button("Отмена").click();
  await chat.button("Сгенерировать заново").click();
  await expect(chat.answerTexts).toContainText("Ответ на");
  await chat.idle();
  await visit("branches");
  await chat.sidebarToggle.click();
  await visit("sidebar the other way");
  if (await chat.root.locator("dialog.sheet[open]").isVisible()) await chat.page.keyboard.press("Escape");
  else await chat.sidebarToggle.click();
}

async function visitAttachments(chat: ChatPage, visit: (state: string) => Promise<void>): Promise<void> {
  const { page } = chat;
  const held = gate();
  await page.route(/\/attachments$/, async (route) => {
    await held.opened;
    await route.fulfill({ status: 500, body: "сломано" });
  });
  const choose = chat.root.locator("input[type=file]");
  await choose.setInputFiles([png(), text()]);
  await chat.composer.fill("Посмотри");
  await expect(chat.root.getByRole("progressbar")).toHaveCount(2);
  await visit("uploads");
  held.open();
  await expect(chat.button("Повторить: заметка.txt")).toBeVisible();
  await visit("uploads that failed");
  await page.unroute(/\/attachments$/);
  await chat.button("Повторить: заметка.txt").click();
  await chat.button("Удалить вложение").first().click();
  await expect(chat.attachments).toHaveCount(1);
  await choose.setInputFiles({
    name: "программа.exe",
    mimeType: "application/x-msdownload",
    buffer: Buffer.from("MZ"),
  });
  await expect(chat.root.locator(".composer-failure")).toBeVisible();
  await visit("file that is refused");
  await chat.button("Удалить вложение").click();
}
