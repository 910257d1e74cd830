import type { Page } from "@playwright/test";
import type { ChatPage } from "../chat-page.ts";
import { core, expect, test } from "../fixtures.ts";

const long = Array.from({ length: 30 }, (_, index) => `Строка ${index} длинного вопроса`).join("\n");

/** More messages than are mounted. */
const history = Array.from({ length: 60 }, (_, index) => [
  {
    id: `q${index}`,
    role: "user",
    content: index === 0 ? long : `Вопрос ${index}`,
    parentId: index ? `a${index - 1}` : null,
  },
  {
    id: `a${index}`,
    role: "assistant",
    parentId: `q${index}`,
    content: `Ответ **${index}**\n\nВторой абзац.\n\n    код`,
  },
]).flat();

/** The pages of a PDF. */
const pagesOf = (pdf: Buffer) => pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;

/** Does what the browser does before it prints, and keeps the page in that state while its styles are checked. */
async function print(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
}

/** Messages that are partly cut off. */
const clipped = (chat: ChatPage) =>
  chat.messages.evaluateAll(
    (messages) =>
      messages.filter((message) => {
        for (let box = message.parentElement; box; box = box.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(box);
          if (overflowX === "visible" && overflowY === "visible") continue;
          if (box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth) return true;
        }
        return false;
      }).length,
  );

test("a page prints the whole conversation, and nothing else of the chat", core, async ({ chat, page }) => {
  await chat.openHistory(history);
  await expect(chat.answers.last()).toContainText("Ответ 59");
  const mounted = await chat.messages.count();
  expect(mounted).toBeLessThan(120);
  const readAt = () => chat.answers.last().evaluate((answer) => Math.round(answer.getBoundingClientRect().top));
  const before = await readAt();

  await print(page);
  await expect(chat.messages).toHaveCount(120);
  expect(await clipped(chat)).toBe(0);
  await expect(chat.questions.first()).toContainText("Строка 29");
  const text = await chat.questions.first().locator(".bubble-text").boundingBox();
  expect(text?.height).toBeGreaterThan(600);
  for (const part of [chat.sidebar, chat.header, chat.composer, chat.button("Действия с чатом")])
    await expect(part).toBeHidden();
  await expect(chat.root.getByRole("button").locator("visible=true")).toHaveCount(0);

  await test.step("afterwards the reader is where they were", async () => {
    await page.emulateMedia({ media: null });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await expect(chat.messages).toHaveCount(mounted);
    await expect.poll(readAt).toBe(before);
  });

  await test.step("the browser itself prints as many pages as the conversation is long", async () => {
    expect(pagesOf(await page.pdf({ format: "A4" }))).toBeGreaterThan(8);
    await expect(chat.messages).toHaveCount(mounted);
  });
});

test("dark colours and a fixed height of the place do not reach the paper", async ({ chat, page }) => {
  await chat.seed({ title: "Разговор" });
  await chat.stub("GET", /\/messages$/, { json: history });
  await chat.open("/", {
    options: `{ target: "#chat", colorScheme: "dark" }`,
    body: `<h1>Страница</h1><div id="chat" style="height: 300px"></div>`,
  });
  await expect(chat.answers.last()).toContainText("Ответ 59");
  await print(page);
  await expect(chat.messages).toHaveCount(120);
  const shell = chat.root.locator(".shell");
  await expect(shell).toHaveCSS("color-scheme", "light");
  expect((await shell.boundingBox())?.height).toBeGreaterThan(5000);
});

test("an open panel of the launcher is printed after the page, a closed one is not", async ({ chat, page }) => {
  await chat.seed({ title: "Разговор" });
  await chat.stub("GET", /\/messages$/, { json: history });
  await chat.goto("/", { options: `{ layout: "launcher" }`, body: "<h1>Лавка</h1>" });
  await chat.button("Открыть чат").click();
  await expect(chat.answers.last()).toContainText("Ответ 59");
  await print(page);
  await expect(chat.messages).toHaveCount(120);
  expect(await clipped(chat)).toBe(0);
  await expect(chat.root.locator(".launcher-button")).toBeHidden();
  const panel = chat.root.locator(".panel");
  await expect(panel).toHaveCSS("break-before", "page");
  expect((await panel.boundingBox())?.height).toBeGreaterThan(5000);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  expect(pagesOf(await page.pdf({ format: "A4" }))).toBeGreaterThan(8);
  await chat.button("Закрыть чат").click();
  await expect(chat.root.locator(".panel")).toBeHidden();
  expect(pagesOf(await page.pdf({ format: "A4" }))).toBe(1);
});
