import type { Locator } from "@playwright/test";
import { expect, test } from "../fixtures.ts";

/** The line around a focused field. The composer's line also surrounds its buttons. */
function ringOf(field: Locator): Promise<readonly string[]> {
  return field.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element.closest(".composer") ?? element);
    return [outlineStyle, outlineWidth];
  });
}

for (const forcedColors of ["none", "active"] as const) {
  test(`every field shows the focus by a line of two pixels (forced colours: ${forcedColors})`, async ({
    chat,
    page,
  }) => {
    await page.emulateMedia({ forcedColors });
    await chat.config({ features: { resume: true, cancel: true, upload: true, branch: true, feedback: true } });
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
    await chat.open();
    await chat.sidebarToggle.focus();
    expect((await ringOf(chat.composer))[0]).toBe("none");
    const fields = [
      { field: chat.composer, open: () => chat.composer.click() },
      { field: chat.editor, open: () => chat.button("Редактировать").click() },
      {
        field: chat.root.getByRole("textbox", { name: "Что не\u00a0так?" }),
        open: () => chat.button("Плохой ответ").click(),
      },
      {
        field: chat.root.getByRole("textbox", { name: "Название чата" }),
        open: () => chat.rowLink("Разговор").press("F2"),
      },
    ];
    for (const { field, open } of fields) {
      await open();
      await expect(field).toBeFocused();
      expect(await ringOf(field)).toEqual(["solid", "2px"]);
    }
    // A button in the composer has its own ring.
    await chat.button("Добавить вложение").focus();
    await page.keyboard.press("Shift");
    expect((await ringOf(chat.composer))[0]).toBe("none");
  });
}

test("the frame of a table cuts nothing off the ring of its buttons", async ({ chat, page }) => {
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "| а |\n| - |\n| б |"]] });
  await chat.open();
  const save = chat.answers.locator(".table-tools button").last();
  await save.focus();
  await page.keyboard.press("Shift");
  const rooms = await save.evaluate((button) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(button);
    const reach = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
    const [inner, frame] = [button, button.closest(".table-scroll")].map((box) => box?.getBoundingClientRect());
    return inner && frame ? [frame.bottom - inner.bottom - reach, inner.left - frame.left - reach] : [];
  });
  expect(Math.min(...rooms)).toBeGreaterThanOrEqual(0);
});
