import type { HostPageOptions } from "../../browser/host-page.ts";
import type { Scenario } from "./scenario.ts";
import type { WidgetPage } from "../widget-page.ts";

/** Opens a page with two threads, the second of which is open. */
async function openWithTwoThreads(page: WidgetPage, host: HostPageOptions = {}): Promise<void> {
  await page.open("/", host);
  await page.converse("Первый");
  await rename(page, "Первый");
  await page.click("Новый чат");
  await page.showsTexts(".bubble");
  await page.converse("Второй");
}

async function rename(page: WidgetPage, title: string): Promise<void> {
  await page.click({ css: ".thread-open" });
  await page.click("Переименовать чат");
  await page.focusIsOn("Название чата");
  await page.type(title);
  await page.press("Enter");
  await page.showsTexts(".thread-open", title);
}

/** The list of threads, the address, and the focus. */
export const threads: readonly Scenario[] = [
  {
    title: "moves the focus to the composer when a chat begins or a thread is chosen",
    async run(page) {
      await openWithTwoThreads(page);
      await page.click("Новый чат");
      await page.showsTexts(".bubble");
      await page.focusIsOn("Сообщение");
      await page.click({ css: ".thread-open", name: "Первый" });
      await page.showsTexts(".bubble", "Первый");
      await page.focusIsOn("Сообщение");
    },
  },
  {
    title: "moves the focus to the composer even when a press does not focus the button, as in Safari",
    async run(page) {
      await openWithTwoThreads(page);
      await page.evaluate(() => {
        addEventListener(
          "mousedown",
          (event) => {
            if (!event.composedPath().some((node) => node instanceof HTMLButtonElement)) return;
            event.preventDefault();
            (document.querySelector("nitka-chat")?.shadowRoot?.activeElement as HTMLElement | null)?.blur();
          },
          true,
        );
      });
      await page.click("Новый чат");
      await page.showsTexts(".bubble");
      await page.focusIsOn("Сообщение");
      await page.click({ css: ".thread-open", name: "Первый" });
      await page.showsTexts(".bubble", "Первый");
      await page.focusIsOn("Сообщение");
    },
  },
  {
    title: "does not save a title on the Enter that ends an input method's composition, as Safari sends it",
    async run(page) {
      await page.open();
      await page.converse("Вопрос");
      await page.click({ css: ".thread-open" });
      await page.click("Переименовать чат");
      await page.focusIsOn("Название чата");
      await page.type("に");
      await page.evaluate(() => {
        const field = document.querySelector("nitka-chat")?.shadowRoot?.querySelector(".rename-field");
        field?.dispatchEvent(
          new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, composed: true }),
        );
      });
      await page.type("ほん");
      await page.press("Enter");
      await page.showsTexts(".thread-open", "にほん");
    },
  },
  {
    title: "names the open thread in the address, and opens the previous one on the browser's Back",
    provedBy: [["routing.spec.ts", "back and forward go through the threads that were chosen"]],
    async run(page) {
      await openWithTwoThreads(page);
      const second = await page.evaluate(() => location.pathname);
      await page.click({ css: ".thread-open", name: "Первый" });
      await page.showsTexts(".bubble", "Первый");
      await page.until(
        () => page.evaluate((path) => /^\/c\/./.test(location.pathname) && location.pathname !== path, second),
        true,
      );
      await page.evaluate(() => history.back());
      await page.showsTexts(".bubble", "Второй");
      await page.until(() => page.evaluate(() => location.pathname), second);
    },
  },
  {
    title: "moves the focus to the next row when a thread is archived, and to the composer after the last thread",
    async run(page) {
      await openWithTwoThreads(page);
      await page.click({ css: ".thread-row:last-child .thread-row-actions button", name: "Удалить чат" });
      await page.showsTexts(".thread-open", "Второй");
      await page.focusIsOn("Второй");
      await page.click("Удалить чат");
      await page.showsTexts(".bubble");
      await page.focusIsOn("Сообщение");
    },
  },
  {
    title: "moves the focus through the controls in visual order on Tab",
    provedBy: [["view/keyboard.spec.ts", "Tab reaches every control in visual order"]],
    async run(page) {
      await openWithTwoThreads(page, { body: `<button id="before">страница</button><div id="chat"></div>` });
      await page.evaluate(() => document.querySelector<HTMLElement>("#before")?.focus());
      const order = ["Новый чат", "Первый", "Обратная связь", "Боковая панель", "Копировать", "Сообщение"];
      const found: string[] = [];
      for (let step = 0; step < 20 && found.length < order.length; step += 1) {
        await page.press("Tab");
        const name = await page.focusedName();
        if (name === order[found.length]) found.push(name);
      }
      await page.until(async () => found, order);
    },
  },
  {
    title: "moves the focus from the list to the conversation and to the composer on F6, and back on Shift+F6",
    provedBy: [["keyboard-job.spec.ts", "F6 and Shift+F6 move the focus between list, conversation and composer"]],
    async run(page) {
      await openWithTwoThreads(page);
      await page.evaluate(() =>
        document.querySelector("nitka-chat")?.shadowRoot?.querySelector<HTMLElement>("[aria-current=page]")?.focus(),
      );
      await page.focusIsOn("Второй");
      await page.press("F6");
      await page.focusIsOn("Переписка");
      await page.press("F6");
      await page.focusIsOn("Сообщение");
      await page.press("Shift", "F6");
      await page.focusIsOn("Переписка");
      await page.press("Shift", "F6");
      await page.focusIsOn("Второй");
    },
  },
];
