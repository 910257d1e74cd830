import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { textEvents } from "./backend.ts";
import { dataUrl, png } from "./files.ts";
import { expect, test } from "./fixtures.ts";

/** What the checker finds against WCAG 2.2 AA, each as «rule: element». */
async function violations(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page })
    .include("nitka-chat")
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target.flat().at(-1))}`));
}

for (const scheme of ["light", "dark"] as const) {
  test(`an empty thread has no fault (${scheme})`, async ({ chat, page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await chat.open();
    expect(await violations(page)).toEqual([]);
  });

  test(`a full conversation has no fault (${scheme})`, async ({ chat, page, console }) => {
    console.allow(/./);
    await page.emulateMedia({ colorScheme: scheme });
    await chat.seed({
      title: "Всё сразу",
      turns: [
        [
          "Покажи всё",
          () => [
            { type: "reasoning-start", id: "r" },
            { type: "reasoning-delta", id: "r", delta: "Размышление" },
            { type: "reasoning-end", id: "r" },
            { type: "tool-input-available", toolCallId: "c", toolName: "weather", input: { city: "Москва" } },
            { type: "tool-output-available", toolCallId: "c", output: { sky: "ясно" } },
            ...textEvents(
              "# Раз\n\n## Два\n\nАбзац с [ссылкой](https://example.com/) и `кодом`.\n\n```js\nconst a = 1;\n```\n\n| а | б |\n| - | - |\n| 1 | 2 |\n\n- [x] дело\n\nСноска[^1].\n\n[^1]: Текст.\n",
            ),
            { type: "source-url", sourceId: "s", url: "https://example.com/", title: "Источник" },
            { type: "file", url: dataUrl(png()), mediaType: "image/png", filename: "х.png" },
          ],
        ],
      ],
    });
    await chat.open();
    await chat.ask("Ещё");
    await chat.idle();
    const folded = chat.answers.locator("button[aria-expanded=false]");
    while ((await folded.count()) > 0) await folded.first().click();
    expect(await violations(page)).toEqual([]);
  });
}

test("the sheet, the editor and a failure have no fault", async ({ chat, page, console }) => {
  console.allow(/./);
  await page.setViewportSize({ width: 390, height: 800 });
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  await chat.open();
  await chat.stub("POST", /run\/stream/, { status: 500, body: "сломано" }, 1);
  await chat.ask("Не дойдёт");
  await expect(chat.retryButton).toBeVisible();
  await chat.button("Редактировать").first().click();
  expect(await violations(page)).toEqual([]);
  await chat.button("Отмена").click();
  await chat.sidebarToggle.click();
  await expect(chat.root.getByRole("dialog")).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("an answer is announced by whole sentences, not token by token, outside the transcript", async ({
  chat,
  page,
  site,
}) => {
  site.script.answer = () => textEvents("Первое предложение готово. Второе тоже, и оно длиннее. Третье — последнее.");
  await chat.open();
  await page.evaluate(() => {
    const said: string[] = [];
    Object.defineProperty(window, "said", { value: said });
    const root = document.querySelector("nitka-chat")?.shadowRoot;
    if (!root) throw new Error("no shadow root");
    new MutationObserver((records) => {
      for (const { addedNodes, target } of records) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(
          "[aria-live], [role=status], [role=log]",
        );
        if (!region || region.getAttribute("aria-live") === "off") continue;
        for (const node of addedNodes) said.push(node.textContent ?? "");
      }
    }).observe(root, { childList: true, subtree: true });
  });
  await chat.converse("Вопрос");
  const said = () => page.evaluate(() => Reflect.get(window, "said") as string[]);
  await expect.poll(async () => (await said()).join(" ")).toContain("Третье — последнее.");
  const answer = (await said()).filter((text) => /предложение|Второе|Третье/.test(text));
  for (const text of answer) expect(text.trim()).toMatch(/[.!?…]$/);
  expect(answer.length).toBeLessThanOrEqual(4);
  expect(await chat.answers.locator("xpath=ancestor-or-self::*[@aria-live]").count()).toBe(0);
});

test("text can be enlarged to 200 % without loss", async ({ chat, page }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  await chat.open();
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
  await expect(chat.sidebarToggle).toBeInViewport({ ratio: 1 });
});

test.describe("under a finger", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });

  test("controls are 44 px large, and a row's controls are always there", async ({ chat }) => {
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
    await chat.open();
    for (const control of [chat.sendButton, chat.sidebarToggle, chat.button("Добавить вложение")]) {
      const box = await control.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    await chat.sidebarToggle.tap();
    const remove = chat.button("Удалить чат", chat.row("Разговор"));
    await expect(remove).toBeVisible();
    expect(await remove.evaluate((element) => Number(getComputedStyle(element).opacity))).toBe(1);
  });
});
