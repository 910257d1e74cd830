import type { Page } from "@playwright/test";
import { core, expect, test } from "./fixtures.ts";

/** The accessible name of the focused element. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    return focused?.ariaLabel ?? focused?.textContent?.trim() ?? "";
  });
}

/** Presses a key until an element with this name has the focus. */
async function walkTo(page: Page, name: string, key = "Tab"): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press(key);
    if ((await focusedName(page)) === name) return;
  }
  throw new Error(`${key} did not reach «${name}». The focus is on «${await focusedName(page)}».`);
}

test("the main job can be done with the keyboard alone", core, async ({ chat, page, site }) => {
  await chat.config({
    models: [
      { id: "scripted", name: "Быстрая" },
      { id: "other", name: "Умная" },
    ],
    model: "other",
  });
  await chat.goto("/shop", { options: `{ layout: "launcher" }`, body: `<a href="#goods">Товары</a>` });
  await expect(chat.button("Открыть чат")).toBeVisible();
  await walkTo(page, "Открыть чат");
  await page.keyboard.press("Enter");
  await expect(chat.composer).toBeFocused();

  await walkTo(page, "Модель: Умная", "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(chat.root.getByRole("menuitemradio", { name: "Умная" })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect.poll(() => focusedName(page)).toBe("Модель: Быстрая");

  await walkTo(page, "Сообщение");
  await page.keyboard.type("Первый вопрос");
  await page.keyboard.press("Enter");
  await expect(chat.answerTexts).toHaveText(["Ответ на «Первый вопрос»."]);
  await chat.idle();
  await expect(chat.composer).toBeFocused();

  await walkTo(page, "Редактировать", "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(chat.editor).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await page.keyboard.press("Enter");
  await expect(chat.answerTexts).toHaveText(["Ответ на «Первый вопрос!»."]);
  await chat.idle();
  await walkTo(page, "Предыдущий вариант", "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(chat.questionTexts).toHaveText(["Первый вопрос"]);
  await expect.poll(() => focusedName(page)).toBe("Следующий вариант");

  await walkTo(page, "Боковая панель", "Shift+Tab");
  await page.keyboard.press("Enter");
  const sheet = chat.root.getByRole("dialog", { name: "Боковая панель" });
  await expect(sheet).toBeVisible();
  const row = chat.threads.locator(".thread-open");
  const isOnRow = () => row.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element);
  for (let step = 0; step < 10 && !(await isOnRow()); step += 1) await page.keyboard.press("Tab");
  await expect(row).toBeFocused();
  await page.keyboard.press("F2");
  await expect(chat.root.getByRole("textbox", { name: "Название чата" })).toBeFocused();
  await page.keyboard.type("Мой чат");
  await page.keyboard.press("Enter");
  await expect(chat.rowLink("Мой чат")).toBeFocused();
  await walkTo(page, "Новый чат", "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(chat.root.locator(".empty-thread")).toBeVisible();
  await expect(chat.composer).toBeFocused();
  site.script.answer = () => [{ type: "text-delta", delta: "Второй ответ" }];
  await walkTo(page, "Какая погода в Сан-Франциско?", "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(chat.answerTexts).toHaveText(["Второй ответ"]);
  await chat.idle();

  await page.keyboard.press("Escape");
  await expect(chat.composer).toBeHidden();
  await expect(chat.button("Открыть чат")).toBeFocused();
});

test(
  "F6 and Shift+F6 move the focus between list, conversation and composer, and leave the keys to the browser beyond them",
  core,
  async ({ chat, page }) => {
    await chat.seed({ title: "Первый", turns: [["вопрос", "ответ"]] }, { title: "Второй" });
    await chat.open();
    await page.evaluate(() => {
      const left: string[] = [];
      Object.defineProperty(window, "left", { value: left });
      const onKey = (event: KeyboardEvent) => {
        if (event.key === "F6") setTimeout(() => event.defaultPrevented || left.push(event.shiftKey ? "back" : "on"));
      };
      window.addEventListener("keydown", onKey, { capture: true });
    });
    const left = () => page.evaluate(() => Reflect.get(window, "left") as string[]);
    for (const thread of ["Второй", "Первый"]) {
      await chat.rowLink(thread).focus();
      await page.keyboard.press("Enter");
      await expect(chat.rowLink(thread)).toHaveAttribute("aria-current", "page");
      const conversation = chat.root.locator(thread === "Второй" ? ".empty-thread" : ".thread-viewport");
      await expect(conversation).toBeVisible();
      await chat.sidebarToggle.focus();
      await page.keyboard.press("F6");
      await expect(conversation).toBeFocused();
      const ring = await conversation.evaluate((element) => getComputedStyle(element).outlineWidth);
      expect(ring).toBe("2px");
      await page.keyboard.press("F6");
      await expect(chat.composer).toBeFocused();
      expect(await left()).toEqual([]);
      await page.keyboard.press("F6");
      await expect.poll(left).toEqual(["on"]);
      await page.keyboard.press("Shift+F6");
      await expect(conversation).toBeFocused();
      await page.keyboard.press("Shift+F6");
      await expect(chat.rowLink(thread)).toBeFocused();
      expect(await left()).toEqual(["on"]);
      await page.keyboard.press("Shift+F6");
      await expect.poll(left).toEqual(["on", "back"]);
      await page.evaluate(() => Reflect.get(window, "left").splice(0));
    }
    // The conversation can be focused at any time, because it scrolls. The others can only be focused while they have the
    // focus.
    await expect(chat.root.locator("[aria-keyshortcuts=F6][tabindex]")).toHaveClass(["thread-viewport"]);
    await chat.sidebarToggle.click();
    await chat.sidebarToggle.focus();
    await page.keyboard.press("Shift+F6");
    await expect.poll(left).toEqual(["back"]);
  },
);
