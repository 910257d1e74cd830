/** Shortcuts are announced: to screen readers by the controls that they act on, to everyone else by tooltips. */
import { expect, test } from "../fixtures.ts";

const seeded = [{ title: "Первый", turns: [["вопрос", "ответ"]] }, { title: "Второй" }] as const;

test("F2 in a row edits its title from each of its buttons, which announce it", async ({ chat, page }) => {
  await chat.seed(...seeded);
  await chat.open();
  const field = chat.root.getByRole("textbox", { name: "Название чата" });
  const row = chat.row("Первый");
  for (const button of [
    chat.rowLink("Первый"),
    chat.button("Переименовать чат", row),
    chat.button("Удалить чат", row),
  ]) {
    await button.press("F2");
    await expect(field).toBeFocused();
    await expect(field).toHaveValue("Первый");
    await page.keyboard.press("F2");
    await page.keyboard.press("Escape");
    await expect(field).toHaveCount(0);
    await expect(chat.rowLink("Первый")).toBeFocused();
  }
  await expect(chat.rowLink("Первый")).toHaveAttribute("aria-keyshortcuts", "F2");
  await chat.button("Переименовать чат", row).hover();
  await expect(chat.root.getByRole("tooltip")).toHaveText("Переименовать чат (F2)");
  // A control without a shortcut has only its name.
  await chat.button("Удалить чат", row).hover();
  await expect(chat.root.getByRole("tooltip")).toHaveText("Удалить чат");
});

for (const [platform, told] of [
  ["Linux x86_64", "Боковая панель (Ctrl+B)"],
  ["Win32", "Боковая панель (Ctrl+B)"],
  ["MacIntel", "Боковая панель (⌘B)"],
] as const) {
  test(`the toggle of the sidebar tells its key as the visitor's keyboard has it (${platform})`, async ({
    chat,
    page,
  }) => {
    await page.addInitScript((name) => Object.defineProperty(navigator, "platform", { get: () => name }), platform);
    await chat.open();
    await expect(chat.sidebarToggle).toHaveAttribute("aria-keyshortcuts", "Control+B Meta+B");
    await chat.sidebarToggle.hover();
    await expect(chat.root.getByRole("tooltip")).toHaveText(told);
    await page.keyboard.press(platform === "MacIntel" ? "Meta+b" : "Control+b");
    await expect(chat.sidebarToggle).toHaveAttribute("aria-expanded", "false");
  });
}

test("what F6 leads to tells it: list, conversation and composer, and nothing else", async ({ chat }) => {
  await chat.seed(...seeded);
  await chat.open();
  const told = () =>
    chat.root
      .locator("[aria-keyshortcuts=F6]")
      .evaluateAll((all) => all.map((each) => each.ariaLabel ?? each.className));
  await expect.poll(told).toEqual(["Чаты", "empty-thread", "Сообщение"]);
  await chat.rowLink("Первый").click();
  await expect.poll(told).toEqual(["Чаты", "Переписка", "Сообщение"]);
});
