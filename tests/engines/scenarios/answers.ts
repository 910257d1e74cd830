import type { Gate } from "../../browser/backend.ts";
import { gate } from "../../browser/backend.ts";
import type { Site } from "../../browser/site.ts";
import { callPage } from "../../browser/visitor-calls.ts";
import type { Scenario } from "./scenario.ts";

/** Makes the assistant answer in two pieces. The second waits for the returned gate. */
function answerInTwoPieces(site: Site, first: string, second: string): Gate {
  const secondPiece = gate();
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: first };
    await secondPiece.opened;
    yield { type: "text-delta", delta: second };
  };
  return secondPiece;
}

/** Questions and answers. */
export const answers: readonly Scenario[] = [
  {
    title: "sends a suggestion on a press, and shows question and answer after a reload",
    async run(page) {
      await page.open();
      await page.click("Какая погода в Сан-Франциско?");
      await page.showsTexts(".answer", "Ответ на «Какая погода в Сан-Франциско?».");
      await page.shows("Отправить");
      await page.goto(await page.evaluate(() => location.pathname));
      await page.showsTexts(".bubble", "Какая погода в Сан-Франциско?");
      await page.showsTexts(".answer", "Ответ на «Какая погода в Сан-Франциско?».");
    },
  },
  {
    title: "breaks the line on Shift+Enter, sends on Enter, stops on Escape, and keeps the focus in the composer",
    async run(page, site) {
      const secondPiece = answerInTwoPieces(site, "Пишу", " дальше");
      await page.open();
      await page.click("Сообщение");
      await page.type("раз");
      await page.press("Shift", "Enter");
      await page.type("два");
      await page.until(async () => (await page.findVisible({ name: "Сообщение" }))[0]?.value, "раз\nдва");
      await page.press("Enter");
      await page.showsTexts(".bubble", "раз\nдва");
      await page.showsTexts(".answer", "Пишу");
      await page.shows("Остановить генерацию");
      await page.press("Escape");
      await page.shows("Отправить");
      await page.showsTexts(".answer .markdown", "Пишу");
      await page.focusIsOn("Сообщение");
      secondPiece.open();
    },
  },
  {
    title: "draws formulas as mathematics, and scrolls a long one within itself",
    async run(page, site) {
      await page.open();
      await page.resize(500, 700);
      const sum = Array.from({ length: 60 }, (_, index) => `x_{${index}}`).join(" + ");
      site.script.answer = () => [{ type: "text-delta", delta: `Дробь:\n\n$$\n\\frac{a}{b}\n$$\n\n$$\n${sum}\n$$` }];
      await page.converse("Формулы");
      const look = () =>
        page.evaluate(() => {
          const answer = document.querySelector("nitka-chat")?.shadowRoot?.querySelector(".answer");
          const [over, under] = [...(answer?.querySelectorAll("mfrac > *") ?? [])].map((part) =>
            part.getBoundingClientRect(),
          );
          if (!answer || !over || !under) return [];
          const frames = [...answer.querySelectorAll(".formula")];
          return [
            over.bottom <= under.top,
            frames.map((frame) => frame.scrollWidth > frame.clientWidth + 100),
            answer.scrollWidth <= answer.clientWidth,
          ];
        });
      await page.until(look, [true, [false, true], true]);
    },
  },
  {
    title: "grows the composer's field with its lines up to a limit, and shrinks it after sending",
    async run(page) {
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
    title: "stops an answer on a press of the stop button, and moves the focus to the composer",
    async run(page, site) {
      const secondPiece = answerInTwoPieces(site, "Пишу", " дальше");
      await page.open();
      await page.ask("Вопрос");
      await page.showsTexts(".answer", "Пишу");
      await page.click("Остановить генерацию");
      await page.shows("Отправить");
      await page.focusIsOn("Сообщение");
      secondPiece.open();
    },
  },
  {
    title: "gives questions, drafts and paragraphs the direction of their first letter, also on a right-to-left page",
    async run(page, site) {
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
      await page.showsTexts(".answer p", "שלום, עולם.", "Hello, world.");
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
    title: "rejoins a stream that breaks off, and shows each word once",
    provedBy: [["rejoin.spec.ts", "is rejoined automatically after its connection breaks"]],
    async run(page, site) {
      const secondPiece = answerInTwoPieces(site, "раз ", "два");
      await page.open();
      await page.ask("Считай");
      await page.showsTexts(".answer", "раз");
      site.dropStreams();
      secondPiece.open();
      await page.showsTexts(".answer", "раз два");
      await page.shows("Отправить");
      await page.showsTexts(".bubble", "Считай");
    },
  },
  {
    title: "continues an unfinished answer after a reload",
    provedBy: [["rejoin.spec.ts", "continues after a reload, with each word once"]],
    async run(page, site) {
      const secondPiece = answerInTwoPieces(site, "раз ", "два");
      await page.open();
      await page.ask("Считай");
      await page.showsTexts(".answer", "раз");
      await page.goto(await page.evaluate(() => location.pathname));
      await page.showsTexts(".answer", "раз");
      secondPiece.open();
      await page.showsTexts(".answer", "раз два");
    },
  },
  {
    title: "keeps the selection while the answer grows",
    provedBy: [["view/markdown.spec.ts", "a selection stays while the text around it grows"]],
    async run(page, site) {
      const secondPiece = answerInTwoPieces(site, "Первый абзац.\n\nВторой ", "абзац.\n\nТретий абзац.");
      await page.open();
      await page.ask("Вопрос");
      await page.showsTexts(".answer p", "Первый абзац.", "Второй");
      await page.evaluate(() => {
        const text = document.querySelector("nitka-chat")?.shadowRoot?.querySelector(".answer p")?.firstChild;
        if (text) getSelection()?.setBaseAndExtent(text, 0, text, 6);
      });
      secondPiece.open();
      await page.showsTexts(".answer p", "Первый абзац.", "Второй абзац.", "Третий абзац.");
      await page.shows("Отправить");
      // Each engine has its own API for a selection in a shadow root.
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
    title: "makes a branch of an edited question and of a regenerated answer, and returns to the first branch",
    async run(page, site) {
      let number = 0;
      site.script.answer = ({ text }) => [{ type: "text-delta", delta: `${text}: ответ ${(number += 1)}` }];
      await page.open();
      await page.converse("Первый вопрос");
      await page.click("Редактировать");
      await page.focusIsOn("Изменить сообщение");
      await page.type("!");
      await page.press("Enter");
      await page.showsTexts(".answer", "Первый вопрос!: ответ 2");
      await page.focusIsOn("Сообщение");
      await page.shows("Отправить");
      await page.click("Сгенерировать заново");
      await page.showsTexts(".answer", "Первый вопрос!: ответ 3");
      await page.shows("Отправить");
      await page.click("Предыдущий вариант");
      await page.showsTexts(".bubble", "Первый вопрос");
      await page.showsTexts(".answer", "Первый вопрос: ответ 1");
    },
  },
  {
    title: "asks whether a tool of the page may run, and runs it when the visitor allows it",
    async run(page, site) {
      site.script.answer = async function* ({ visitor }) {
        yield* callPage(visitor, { toolName: "cart_add", input: { sku: "кружка" } });
        yield { type: "text-delta", delta: "Готово" };
      };
      await page.open("/", {
        options: `{ target: "#chat", tools: { cart_add: {
          description: "Adds to the cart", parameters: { type: "object" }, title: "В корзину", confirm: true,
          execute: ({ sku }) => ({ added: sku }) } } }`,
      });
      await page.click("Какая погода в Сан-Франциско?");
      await page.showsTexts(".approval-title", "В корзину");
      await page.click("Разрешить");
      await page.focusIsOn("Сообщение");
      await page.showsTexts(".answer .markdown", "Готово");
      await page.showsTexts(".tool-call button", "Used tool cart_add разрешено");
    },
  },
];
