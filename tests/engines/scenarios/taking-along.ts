import type { Scenario } from "./scenario.ts";

/** What a visitor takes out of the chat. */
export const takingAlong: readonly Scenario[] = [
  {
    title: "copies the conversation from its menu, by keyboard, as text and with its looks",
    provedBy: [
      ["view/thread-menu.spec.ts", "the whole conversation is copied as text and with its formatting, by keyboard"],
    ],
    async run(page, site) {
      site.script.answer = () => [{ type: "text-delta", delta: "Завтра, **с 10**." }];
      await page.open();
      await page.converse("Когда привезут?");
      await page.evaluate(() => {
        navigator.clipboard.write = async ([item]) => {
          const texts = ["text/plain", "text/html"].map(async (type) => (await item?.getType(type))?.text());
          Reflect.set(window, "copied", (await Promise.all(texts)).join("\n"));
        };
      });
      await page.click("Действия с\u00a0чатом");
      await page.focusIsOn("Скопировать переписку");
      await page.press("ArrowDown", "ArrowUp", "Enter");
      const copied = () => page.evaluate(() => String(Reflect.get(window, "copied")));
      for (const text of ["Завтра, **с 10**.", "<p>Когда привезут?</p>", "<strong>с 10</strong>"])
        await page.until(async () => (await copied()).includes(text), true);
      await page.focusIsOn("Действия с\u00a0чатом");
    },
  },
];
