import type { Gate } from "../../browser/backend.ts";
import { gate } from "../../browser/backend.ts";
import type { Site } from "../../browser/site.ts";
import type { Sentence } from "./sentence.ts";

/** Has the assistant answer in two pieces, the second behind a gate. */
function answerInTwo(site: Site, first: string, second: string): Gate {
  const held = gate();
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: first };
    await held.opened;
    yield { type: "text-delta", delta: second };
  };
  return held;
}

/** Asking and being answered. */
export const answers: readonly Sentence[] = [
  {
    says: "a suggestion is asked by a press, answered, and still there after a reload",
    async holds(page) {
      await page.open();
      await page.click("Какая погода в Сан-Франциско?");
      await page.says(".answer", "Ответ на «Какая погода в Сан-Франциско?».");
      await page.shows("Отправить");
      await page.goto(await page.evaluate(() => location.pathname));
      await page.says(".bubble", "Какая погода в Сан-Франциско?");
      await page.says(".answer", "Ответ на «Какая погода в Сан-Франциско?».");
    },
  },
  {
    says: "Shift+Enter breaks the line, Enter sends, Escape stops, and the focus stays in the composer",
    async holds(page, site) {
      const held = answerInTwo(site, "Пишу", " дальше");
      await page.open();
      await page.click("Сообщение");
      await page.type("раз");
      await page.press("Shift", "Enter");
      await page.type("два");
      await page.until(async () => (await page.look({ name: "Сообщение" }))[0]?.value, "раз\nдва");
      await page.press("Enter");
      await page.says(".bubble", "раз\nдва");
      await page.says(".answer", "Пишу");
      await page.shows("Остановить генерацию");
      await page.press("Escape");
      await page.shows("Отправить");
      await page.says(".answer .markdown", "Пишу");
      await page.focusIsOn("Сообщение");
      held.open();
    },
  },
  {
    says: "the field grows with its lines up to its height, and shrinks again",
    async holds(page) {
      await page.open();
      const height = () =>
        page.evaluate(() => {
          const field = document.querySelector("nitka-chat")?.shadowRoot?.querySelector("[data-composer]");
          return Math.round(field?.getBoundingClientRect().height ?? 0);
        });
      await page.until(height, 64);
      await page.click("Сообщение");
      for (let line = 1; line < 4; line += 1) {
        await page.type(`строка ${line}`);
        await page.press("Shift", "Enter");
      }
      await page.until(async () => (await height()) > 100, true);
      for (let line = 4; line < 8; line += 1) await page.press("Shift", "Enter");
      await page.until(height, 128);
      await page.press("Enter");
      await page.shows("Отправить");
      await page.until(height, 64);
    },
  },
  {
    says: "a press on the stop button ends the answer, and leaves the focus to the composer",
    async holds(page, site) {
      const held = answerInTwo(site, "Пишу", " дальше");
      await page.open();
      await page.ask("Вопрос");
      await page.says(".answer", "Пишу");
      await page.click("Остановить генерацию");
      await page.shows("Отправить");
      await page.focusIsOn("Сообщение");
      held.open();
    },
  },
  {
    says: "questions, drafts and paragraphs read the way of their own first letter, also on a page from right to left",
    async holds(page, site) {
      site.script.answer = () => [
        { type: "text-delta", delta: "שלום, עולם.\n\nHello, world.\n\n```js\nlet a;\n```\n" },
      ];
      await page.open("/", { head: `<script>document.documentElement.dir = "rtl"</script>` });
      await page.click("Сообщение");
      await page.type("שלום");
      await page.until(
        () =>
          page.evaluate(() => {
            const field = document.querySelector("nitka-chat")?.shadowRoot?.querySelector("[data-composer]");
            return field && getComputedStyle(field).direction;
          }),
        "rtl",
      );
      await page.press("Enter");
      await page.shows("Отправить");
      await page.says(".answer p", "שלום, עולם.", "Hello, world.");
      const directions = () =>
        page.evaluate(() => {
          const root = document.querySelector("nitka-chat")?.shadowRoot;
          const edge = (css: string, index: number) => {
            const range = document.createRange();
            const element = root?.querySelectorAll(css)[index];
            if (!element) return "missing";
            range.selectNodeContents(element);
            const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
            return text.left - box.left > box.right - text.right ? "right" : "left";
          };
          const styleOf = (css: string) => getComputedStyle(root?.querySelector(css) ?? document.body).direction;
          return [
            edge(".answer p", 0),
            edge(".answer p", 1),
            styleOf(".plain-text"),
            styleOf(".code-block"),
            styleOf(".frame"),
          ];
        });
      await page.until(directions, ["right", "left", "rtl", "ltr", "ltr"]);
    },
  },
  {
    says: "a stream that breaks off is joined again: each word comes once",
    async holds(page, site) {
      const held = answerInTwo(site, "раз ", "два");
      await page.open();
      await page.ask("Считай");
      await page.says(".answer", "раз");
      site.dropStreams();
      held.open();
      await page.says(".answer", "раз два");
      await page.shows("Отправить");
      await page.says(".bubble", "Считай");
    },
  },
  {
    says: "a reload in the middle of an answer goes on where it was",
    async holds(page, site) {
      const held = answerInTwo(site, "раз ", "два");
      await page.open();
      await page.ask("Считай");
      await page.says(".answer", "раз");
      await page.goto(await page.evaluate(() => location.pathname));
      await page.says(".answer", "раз");
      held.open();
      await page.says(".answer", "раз два");
    },
  },
  {
    says: "what is selected stays selected while the answer grows",
    async holds(page, site) {
      const held = answerInTwo(site, "Первый абзац.\n\nВторой ", "абзац.\n\nТретий абзац.");
      await page.open();
      await page.ask("Вопрос");
      await page.says(".answer p", "Первый абзац.", "Второй");
      await page.evaluate(() => {
        const text = document.querySelector("nitka-chat")?.shadowRoot?.querySelector(".answer p")?.firstChild;
        if (text) getSelection()?.setBaseAndExtent(text, 0, text, 6);
      });
      held.open();
      await page.says(".answer p", "Первый абзац.", "Второй абзац.", "Третий абзац.");
      await page.shows("Отправить");
      // Engines tell of a selection in a shadow root each in their own way.
      const selected = await page.evaluate(() => {
        const root = document.querySelector("nitka-chat")?.shadowRoot as ShadowRoot & { getSelection?(): Selection };
        const [range] = document.getSelection()?.getComposedRanges?.({ shadowRoots: [root] }) ?? [];
        if (!range) return (root.getSelection?.() ?? document.getSelection())?.toString();
        return range.startContainer.textContent?.slice(range.startOffset, range.endOffset);
      });
      if (selected !== "Первый") throw new Error(`«${selected}» is selected, not «Первый».`);
    },
  },
  {
    says: "a question is changed and an answer made anew; each is a branch, and the way between them keeps the focus",
    async holds(page, site) {
      let number = 0;
      site.script.answer = ({ text }) => [{ type: "text-delta", delta: `${text}: ответ ${(number += 1)}` }];
      await page.open();
      await page.converse("Первый вопрос");
      await page.click("Редактировать");
      await page.focusIsOn("Изменить сообщение");
      await page.type("!");
      await page.press("Enter");
      await page.says(".answer", "Первый вопрос!: ответ 2");
      await page.focusIsOn("Сообщение");
      await page.shows("Отправить");
      await page.click("Сгенерировать заново");
      await page.says(".answer", "Первый вопрос!: ответ 3");
      await page.shows("Отправить");
      await page.click("Предыдущий вариант");
      await page.says(".bubble", "Первый вопрос");
      await page.says(".answer", "Первый вопрос: ответ 1");
    },
  },
];
