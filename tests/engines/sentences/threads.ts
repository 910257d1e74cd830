import type { HostPageOptions } from "../../browser/host-page.ts";
import type { Sentence } from "./sentence.ts";
import type { WidgetPage } from "../widget-page.ts";

/** Two threads, of which the second is open. */
async function haveTwo(page: WidgetPage, host: HostPageOptions = {}): Promise<void> {
  await page.open("/", host);
  await page.converse("Первый");
  await rename(page, "Первый");
  await page.click("Новый чат");
  await page.says(".bubble");
  await page.converse("Второй");
}

async function rename(page: WidgetPage, title: string): Promise<void> {
  await page.click({ css: ".thread-open" });
  await page.click("Переименовать чат");
  await page.focusIsOn("Название чата");
  await page.type(title);
  await page.press("Enter");
  await page.says(".thread-open", title);
}

/** The list of threads, the address, and where the focus goes. */
export const threads: readonly Sentence[] = [
  {
    says: "a new chat, and a thread that is chosen, bring the caret into the composer",
    async holds(page) {
      await haveTwo(page);
      await page.click("Новый чат");
      await page.says(".bubble");
      await page.focusIsOn("Сообщение");
      await page.click({ css: ".thread-open", name: "Первый" });
      await page.says(".bubble", "Первый");
      await page.focusIsOn("Сообщение");
    },
  },
  {
    says: "where a press gives no button the focus, as in Safari, the caret comes to the composer all the same",
    async holds(page) {
      await haveTwo(page);
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
      await page.says(".bubble");
      await page.focusIsOn("Сообщение");
      await page.click({ css: ".thread-open", name: "Первый" });
      await page.says(".bubble", "Первый");
      await page.focusIsOn("Сообщение");
    },
  },
  {
    says: "the Enter that ends a word of an input method does not save a title, also as Safari sends it",
    async holds(page) {
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
      await page.says(".thread-open", "にほん");
    },
  },
  {
    says: "the address names the open thread, and the browser's way back opens the one before",
    async holds(page) {
      await haveTwo(page);
      const second = await page.evaluate(() => location.pathname);
      await page.click({ css: ".thread-open", name: "Первый" });
      await page.says(".bubble", "Первый");
      await page.until(
        () => page.evaluate((path) => /^\/c\/./.test(location.pathname) && location.pathname !== path, second),
        true,
      );
      await page.evaluate(() => history.back());
      await page.says(".bubble", "Второй");
      await page.until(() => page.evaluate(() => location.pathname), second);
    },
  },
  {
    says: "an archived thread gives the focus to the row beside it, the last one to the composer",
    async holds(page) {
      await haveTwo(page);
      await page.click({ css: ".thread-row:last-child .thread-row-actions button", name: "Удалить чат" });
      await page.says(".thread-open", "Второй");
      await page.focusIsOn("Второй");
      await page.click("Удалить чат");
      await page.says(".bubble");
      await page.focusIsOn("Сообщение");
    },
  },
  {
    says: "Tab goes through the controls in the order in which they stand",
    async holds(page) {
      await haveTwo(page, { body: `<button id="before">страница</button><div id="chat"></div>` });
      await page.evaluate(() => document.querySelector<HTMLElement>("#before")?.focus());
      const order = ["Новый чат", "Первый", "Обратная связь", "Боковая панель", "Копировать", "Сообщение"];
      const found: string[] = [];
      for (let step = 0; step < 20 && found.length < order.length; step += 1) {
        await page.press("Tab");
        const name = await page.focused();
        if (name === order[found.length]) found.push(name);
      }
      await page.until(async () => found, order);
    },
  },
  {
    says: "F6 goes from the list to the conversation and the composer, Shift+F6 back",
    async holds(page) {
      await haveTwo(page);
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
