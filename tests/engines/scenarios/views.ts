import type { Scenario } from "./scenario.ts";

/** Views of the page's own. */
export const views: readonly Scenario[] = [
  {
    title: "shows a tool call in a view of the page's own, in its place, whose button sends a question",
    async run(page, site) {
      site.script.answer = ({ text }) =>
        text === "Где заказ?"
          ? [
              { type: "text-delta", id: "a", delta: "До." },
              { type: "tool-input-available", toolCallId: "c", toolName: "order", input: {} },
              { type: "tool-output-available", toolCallId: "c", output: { sum: 5 } },
              { type: "text-delta", id: "b", delta: "После." },
            ]
          : [{ type: "text-delta", delta: "Отменён." }];
      await page.open("/", {
        head: `<style>.own { color: rgb(1, 2, 3) }</style>`,
        options: `{ target: "#chat", renderers: { "tool:order": (container, { state, result }, api) => {
          container.className = "own";
          container.innerHTML = "<button>Отменить</button>";
          container.append(" " + state + " " + JSON.stringify(result));
          container.firstChild.onclick = () => api.send("Отмени");
        } } }`,
      });
      await page.converse("Где заказ?");
      const look = () =>
        page.evaluate(() => {
          const own = document.querySelector(".own");
          const root = document.querySelector("nitka-chat")?.shadowRoot;
          if (!own || !root) return [];
          const [before, after] = [...root.querySelectorAll(".answer .markdown")];
          const { top, height } = own.getBoundingClientRect();
          const isBetween =
            Number(before?.getBoundingClientRect().bottom) <= top &&
            top + height <= Number(after?.getBoundingClientRect().top);
          return [own.textContent, getComputedStyle(own).color, isBetween];
        });
      await page.until(look, [`Отменить done {"sum":5}`, "rgb(1, 2, 3)", true]);
      await page.evaluate(() => document.querySelector<HTMLElement>(".own button")?.click());
      await page.showsTexts(".bubble", "Где заказ?", "Отмени");
      await page.shows("Отправить");
      await page.evaluate(() => window.chat.destroy());
      await page.until(() => page.evaluate(() => document.querySelectorAll(".own").length), 0);
    },
  },
];
