import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { core, expect, test } from "../fixtures.ts";
import { announcedIn, recordAnnouncements } from "../screen-reader.ts";

/** A history that is longer than its mounted part. */
function history(turns: number) {
  return Array.from({ length: turns }, (_, index) => [
    {
      id: `q${index}`,
      role: "user",
      content: `Вопрос ${index} <b>`,
      parentId: index === 0 ? null : `a${index - 1}`,
      createdAt: "2026-03-01T10:00:00.000Z",
    },
    {
      id: `a${index}`,
      role: "assistant",
      parentId: `q${index}`,
      createdAt: "2026-03-01T10:01:00.000Z",
      content: [{ type: "text", text: `**Ответ** ${index}` }],
    },
  ]).flat();
}

const withExtras = [
  ...history(1),
  {
    id: "q",
    role: "user",
    content: "Что на снимке?",
    parentId: "a0",
    attachments: [{ id: "f", type: "image", name: "окно.png", contentType: "image/png", size: 1, url: "x.png" }],
  },
  { id: "old", role: "assistant", content: "Прежний ответ", parentId: "q" },
  {
    id: "new",
    role: "assistant",
    parentId: "q",
    content: [
      { type: "text", text: "| Город |\n| --- |\n| Тверь |" },
      { type: "source", sourceType: "url", id: "s", url: "https://a.example/1", title: "Прогноз", n: 1 },
    ],
  },
];

const copied = (page: Page, type: string) =>
  page.evaluate(async (form) => {
    const [item] = await navigator.clipboard.read();
    return (await item?.getType(form))?.text();
  }, type);

test(
  "the whole conversation is copied as text and with its formatting, by keyboard",
  core,
  async ({ chat, page, context }) => {
    await recordAnnouncements(page);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await chat.openHistory(history(60));
    await expect(chat.answers.last()).toContainText("Ответ 59");
    await expect(chat.answerTexts.getByText("Ответ 0", { exact: true })).toHaveCount(0);
    const menu = chat.button("Действия с чатом");
    await menu.focus();
    await page.keyboard.press("ArrowDown");
    await expect(chat.root.getByRole("menuitem", { name: "Скопировать переписку" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(menu).toBeFocused();
    await expect.poll(() => announcedIn(page)).toContain("Переписка скопирована.");
    const text = (await copied(page, "text/plain")) ?? "";
    expect(text.startsWith("Разговор\n\n\nВы · 1 марта 2026 г. в 13:00\n\nВопрос 0 <b>\n\n\nАссистент · ")).toBe(true);
    expect(text.match(/\*\*Ответ\*\*/g)).toHaveLength(60);
    const html = (await copied(page, "text/html")) ?? "";
    expect(html.match(/<strong>Ответ<\/strong>/g)).toHaveLength(60);
    expect(html).toContain("<p>Вопрос 59 &lt;b&gt;</p>");
    await expect(chat.root.locator("[data-copied]")).toHaveCount(0);
  },
);

test("the shown branch is saved as a Markdown file with the chat's title as its name", async ({
  chat,
  page,
  console,
}) => {
  // The server does not know the branch of the scripted history.
  console.allow(/status of 422/);
  await chat.openHistory(withExtras);
  await chat.button("Действия с чатом").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    chat.root.getByRole("menuitem", { name: "Скачать" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Разговор.md");
  const saved = await readFile(await download.path(), "utf8");
  expect(saved).toContain("# Разговор\n\n## Вы · 1 марта 2026 г. в 13:00\n\nВопрос 0 <b>\n\n## Ассистент · ");
  expect(saved).toContain(
    "\n\n## Вы\n\nЧто на снимке?\n\nВложения: окно.png\n\n## Ассистент\n\n| Город |\n| --- |\n| Тверь |\n\nИсточники:\n- [1] [Прогноз](https://a.example/1)\n",
  );
  expect(saved).not.toContain("Прежний ответ");
  await expect(chat.tooltip("Переписка сохранена в файл.")).toBeVisible();

  await test.step("the branch that the visitor goes to", async () => {
    await chat.button("Предыдущий вариант", chat.answers.last()).click();
    await expect(chat.answers.last()).toContainText("Прежний ответ");
    await chat.button("Действия с чатом").click();
    const [other] = await Promise.all([
      page.waitForEvent("download"),
      chat.root.getByRole("menuitem", { name: "Скачать" }).click(),
    ]);
    expect(await readFile(await other.path(), "utf8")).toContain("## Ассистент\n\nПрежний ответ\n");
  });
});

test("an empty chat offers nothing, and failures are shown", async ({ chat, page, console }) => {
  console.allow(/Failed to (load resource|fetch dynamically)|ERR_/);
  await recordAnnouncements(page);
  await page.route(/\/widget\/transcript-/, (route) => route.abort(), { times: 2 });
  await chat.open();
  await expect(chat.button("Действия с чатом")).toHaveCount(0);
  await chat.converse("Привет");
  await chat.button("Действия с чатом").click();
  await chat.root.getByRole("menuitem", { name: "Скачать" }).click();
  await expect(chat.tooltip("Не удалось загрузить переписку. Попробуйте ещё раз.")).toBeVisible();
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
  });
  await chat.button("Действия с чатом").click();
  await chat.root.getByRole("menuitem", { name: "Скопировать переписку" }).click();
  await expect.poll(() => announcedIn(page)).toContain("Не удалось скопировать");
});

test(
  "the launcher's panel is made wide and narrow again, and stays so while it is closed",
  core,
  async ({ chat, page }) => {
    await page.setViewportSize({ width: 1100, height: 700 });
    await chat.goto("/", { options: `{ layout: "launcher" }` });
    await chat.button("Открыть чат").click();
    const panel = chat.root.locator(".panel");
    const width = async () => (await panel.boundingBox())?.width;
    await expect.poll(width).toBe(400);
    await chat.button("Расширить окно").focus();
    await page.keyboard.press("Enter");
    await expect.poll(width).toBe(740);
    await expect(chat.button("Сузить окно")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await chat.button("Открыть чат").click();
    await expect.poll(width).toBe(740);
    await test.step("in a small window it fills the screen, without the button", async () => {
      await page.setViewportSize({ width: 390, height: 700 });
      await expect.poll(width).toBe(390);
      await expect(chat.button("Сузить окно")).toBeHidden();
      await page.setViewportSize({ width: 600, height: 700 });
      await expect.poll(width).toBe(560);
    });
    await page.setViewportSize({ width: 1100, height: 700 });
    await chat.button("Сузить окно").click();
    await expect.poll(width).toBe(400);
  },
);

test("the launcher's panel opens the chat on its own page, with the thread", async ({ chat, page, context }) => {
  await chat.config({ pageUrl: "/chat" });
  await chat.seed({ title: "Доставка", turns: [["Когда?", "Завтра"]] });
  await chat.goto("/", { options: `{ layout: "launcher" }` });
  await chat.button("Открыть чат").click();
  await expect(chat.title).toHaveText("Доставка");
  await chat.button("Действия с чатом").click();
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    chat.root.getByRole("menuitem", { name: "Открыть на отдельной странице" }).click(),
  ]);
  expect(new URL(opened.url()).pathname).toMatch(/^\/chat\/c\/[\w-]+$/);
  await expect(chat.root.getByRole("menu")).toBeHidden();

  await test.step("an invalid page address makes no link, and an inline chat has none", async () => {
    await chat.config({ pageUrl: "javascript:alert(1)" });
    await page.reload();
    await chat.button("Открыть чат").click();
    await chat.button("Действия с чатом").click();
    await expect(chat.root.getByRole("menuitem")).toHaveText(["Скопировать переписку", "Скачать"]);
    await chat.config({ pageUrl: "/chat" });
    await chat.goto();
    await chat.button("Действия с чатом").click();
    await expect(chat.root.getByRole("menuitem")).toHaveText(["Скопировать переписку", "Скачать"]);
  });
});
