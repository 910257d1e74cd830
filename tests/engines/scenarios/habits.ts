import { consent } from "../../browser/server-backend.ts";
import type { WidgetPage } from "../widget-page.ts";
import type { Scenario } from "./scenario.ts";

/**
 * Stores copied data, by type, in `window.copied`. A page cannot read the clipboard without a prompt that a test cannot answer.
 */
const KEEP_COPIES = `<script>
window.copied = {};
navigator.clipboard.write = async (items) => {
  for (const item of items)
    for (const type of item.types) copied[type] = await (await item.getType(type)).text();
};
navigator.clipboard.writeText = async (text) => { copied["text/plain"] = text; };
</script>`;

const copied = (page: WidgetPage) => page.evaluate(() => Reflect.get(window, "copied") as Record<string, string>);
const draft = async (page: WidgetPage) => (await page.findVisible({ name: "Сообщение" }))[0]?.value;

/** Habits from other chats in which engines differ: focus, selection, clipboard. */
export const habits: readonly Scenario[] = [
  {
    title: "brings a deleted chat back by keyboard, open, with the focus on it",
    provedBy: [["view/restore.spec.ts", "a deleted chat is restored by keyboard"]],
    async run(page) {
      await page.open();
      await page.converse("Первый");
      await page.click("Новый чат");
      await page.showsTexts(".bubble");
      await page.converse("Второй");
      await page.evaluate(() =>
        document
          .querySelector("nitka-chat")
          ?.shadowRoot?.querySelector<HTMLElement>(".thread-row-actions [aria-label^='Удалить чат']")
          ?.focus(),
      );
      await page.press("Enter");
      await page.showsTexts(".bubble", "Первый");
      await page.focusIsOn("Первый");
      await page.shows("Вернуть");
      await page.press("Shift", "Tab");
      await page.focusIsOn("Вернуть");
      await page.press("Enter");
      await page.showsTexts(".bubble", "Второй");
      await page.hides("Вернуть");
      await page.until(async () => (await page.findVisible({ css: ".thread-open" })).length, 2);
      await page.until(async () => (await page.focusedName()) !== "", true);
    },
  },
  {
    title: "asks for the agreement in place of the send button, and sends with Enter once",
    async run(page) {
      await page.open("/", { options: `{ target: "#chat", projectId: "consenting" }` });
      await page.showsTexts(".consent-note", `${consent.text} Подробнее`);
      await page.hides("Отправить");
      await page.click("Сообщение");
      await page.type("Согласен");
      await page.shows("Согласиться и отправить");
      await page.press("Enter");
      await page.showsTexts(".bubble", "Согласен");
      await page.shows("Отправить");
      await page.focusIsOn("Сообщение");
      await page.showsTexts(".consent-note");
    },
  },
  {
    title: "edits the last question on ArrowUp in an empty composer alone, with the caret at its end",
    async run(page) {
      await page.open();
      await page.converse("Вопрос");
      await page.click("Сообщение");
      await page.type("я");
      await page.press("ArrowUp");
      await page.focusIsOn("Сообщение");
      await page.press("ArrowRight");
      await page.press("Backspace");
      await page.until(() => draft(page), "");
      await page.press("ArrowUp");
      await page.focusIsOn("Изменить сообщение");
      await page.type("!");
      await page.until(async () => (await page.findVisible({ name: "Изменить сообщение" }))[0]?.value, "Вопрос!");
      await page.press("Escape");
      await page.focusIsOn("Редактировать");
    },
  },
  {
    title: "focuses the composer's field on a press between its buttons",
    provedBy: [["view/habits.spec.ts", "a press anywhere in the composer focuses its field"]],
    async run(page) {
      await page.open();
      await page.shows("Отправить");
      await page.evaluate(() =>
        (document.querySelector("nitka-chat")?.shadowRoot?.activeElement as HTMLElement | null)?.blur(),
      );
      await page.click({ css: ".composer-tools" });
      await page.focusIsOn("Сообщение");
    },
  },
  {
    title: "makes a file of a long text that was pasted, and the browser's undo brings the text back",
    provedBy: [["view/habits.spec.ts", "a long text that is pasted stays in the draft, and becomes a file by a press"]],
    async run(page) {
      await page.open();
      await page.click("Сообщение");
      await page.type("до ");
      await page.evaluate(() => {
        const field = document.querySelector("nitka-chat")?.shadowRoot?.querySelector("[data-composer]");
        const text = "строка ".repeat(700);
        const data = new DataTransfer();
        data.setData("text/plain", text);
        const event = new Event("paste", { bubbles: true, composed: true, cancelable: true });
        field?.dispatchEvent(Object.assign(event, { clipboardData: data }));
        document.execCommand("insertText", false, text);
      });
      await page.click("Вставить файлом");
      await page.until(() => draft(page), "до ");
      await page.until(async () => (await page.findVisible({ css: ".attachment-tile" })).length, 1);
      await page.focusIsOn("Сообщение");
      await page.evaluate(() => document.execCommand("undo"));
      await page.until(async () => (await draft(page))?.startsWith("до строка строка"), true);
    },
  },
  {
    title: "copies an answer with its formatting, and a table as a table",
    async run(page, site) {
      site.script.answer = () => [{ type: "text-delta", delta: "Вот **это**:\n\n| а | б |\n| - | - |\n| 1 | 2 |\n" }];
      await page.open("/", { head: KEEP_COPIES });
      await page.converse("Таблица");
      await page.click({ css: ".assistant-message .message-actions button", name: "Копировать" });
      await page.until(
        async () => (await copied(page))["text/plain"],
        "Вот **это**:\n\n| а | б |\n| - | - |\n| 1 | 2 |\n",
      );
      await page.until(async () => (await copied(page))["text/html"]?.includes("<strong>это</strong>"), true);
      await page.click("Копировать таблицу");
      await page.until(async () => (await copied(page))["text/plain"], "а\tб\n1\t2");
      await page.until(
        async () => (await copied(page))["text/html"],
        "<table><thead><tr><th>а</th><th>б</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
      );
    },
  },
];
