/** Files that are dropped on the widget never open in place of the page. */
import type { Locator } from "@playwright/test";
import { core, expect, test } from "./fixtures.ts";
import { expectAnnounced, recordAnnouncements } from "./screen-reader.ts";

/**
 * Drags something over an element and drops it. Returns whether the page has prevented the browser's default for each event.
 */
function drop(target: Locator, what: "file" | "text"): Promise<readonly boolean[]> {
  return target.evaluate((element, kind) => {
    const data = new DataTransfer();
    if (kind === "file") data.items.add(new File(["Текст"], "заметка.txt", { type: "text/plain" }));
    else data.setData("text/plain", "слово");
    const init = { bubbles: true, composed: true, cancelable: true, dataTransfer: data };
    return ["dragover", "drop"].map((type) => !element.dispatchEvent(new DragEvent(type, init)));
  }, what);
}

const phone = { options: `{ layout: "launcher" }`, body: `<p>Корзина</p>` };

test("a new visitor's dropped file is attached, although no thread exists yet", core, async ({ chat, page }) => {
  await chat.goto("/", phone);
  await chat.button("Открыть чат").click();
  await chat.opened();
  expect(await drop(chat.root.locator(".empty-thread"), "file")).toEqual([true, true]);
  await expect(chat.attachments).toHaveCount(1);
  expect(await drop(chat.composer, "file")).toEqual([true, true]);
  await expect(chat.attachments).toHaveCount(2);
  expect(await drop(chat.root.locator(".launcher-button"), "file")).toEqual([true, true]);
  await expect(page.getByText("Корзина")).toBeVisible();
});

test("a file that is dropped beside the conversation is also attached, and a dropped text is left to the browser", async ({
  chat,
}) => {
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  await chat.open();
  for (const [index, place] of [chat.sidebar, chat.header.last(), chat.answers, chat.rowLink("Разговор")].entries()) {
    expect(await drop(place, "file")).toEqual([true, true]);
    await expect(chat.attachments).toHaveCount(index + 1);
  }
  expect(await drop(chat.composer, "text")).toEqual([false, false]);
});

test("a dropped file is refused with a message if files are not accepted", async ({ chat, page }) => {
  await recordAnnouncements(page);
  await chat.config({ attachments: false });
  await chat.goto("/", phone);
  await chat.button("Открыть чат").click();
  await chat.opened();
  expect(await drop(chat.composer, "file")).toEqual([true, true]);
  await expect(chat.root.getByText("Здесь нельзя добавить файл.").first()).toBeVisible();
  await expectAnnounced(page, "Здесь нельзя добавить файл.");
  await expect(chat.attachments).toHaveCount(0);
});

test("a host's view can take files that are dropped on it", async ({ chat, page }) => {
  await chat.seed({ title: "Разговор", turns: [["Вопрос", () => [{ type: "data-drop", data: {} }]]] });
  await chat.open("/", {
    options: `{ target: "#chat", renderers: { "data:drop": (container) => {
      container.id = "own-drop";
      container.textContent = "Сюда";
      for (const type of ["dragover", "drop"]) container.addEventListener(type, (event) => event.preventDefault());
      return () => undefined;
    } } }`,
  });
  expect(await drop(page.locator("#own-drop"), "file")).toEqual([true, true]);
  await expect(chat.attachments).toHaveCount(0);
});
