import type { Page } from "@playwright/test";
import { expect, motion, test } from "../fixtures.ts";
import { gate, textEvents } from "../backend.ts";

test.use(motion);

/** The height of a line of the answer's text, in pixels. */
const line = 26;

/** The visible part of an answer in one frame. */
interface Frame {
  /** The top level, without footnotes, which are below it. */
  readonly blocks: readonly { readonly tag: string; readonly text: string; readonly top: number }[];
  readonly height: number;
}

const answers: Readonly<Record<string, string>> = {
  "lists, quotes and headings":
    "# Хлеб\n\nШаги:\n\n1. Замесить **крепкое** тесто.\n2. Дать постоять:\n   - час в тепле,\n   - ночь в *холоде*.\n3. Печь.\n\n- [x] мука\n- [ ] соль\n\n> Слова **чужие**\n> и ещё\n\n---\n\nКонец.\n",
  "tables and code":
    "Вот цены:\n\n| Город | Цена |\n| :-- | --: |\n| **Москва** | 18 |\n| [Казань](https://kazan.example/) | `20`<br>вчера |\n\nИ код:\n\n```js\nconst a = 1;\n\nconst b = `x`;\n```\n\nПосле.\n\n~~~\nещё\n~~~\nКонец.\n",
  "references, footnotes, formulas and HTML":
    "По данным[^1], см. [1] и [2, 3], есть [ссылка](https://example.com/a_b) и H<sub>2</sub>O.\n\nПлощадь $x^2$, цена $5, \\[ a = b \\] да.\n\n$$\nE = mc^2\n$$\n\n<!-- скрыто -->\n\nЕщё [руководство][docs].\n\n[docs]: https://example.com/docs\n[^1]: Первая *сноска*.\n\nКонец.\n",
};

for (const [name, answer] of Object.entries(answers)) {
  test(`${name}: no frame of a streamed answer takes anything back`, async ({ chat, page, site }) => {
    test.slow();
    const pieces = answer.match(/[^\n]{1,7}\n?|\n/g) ?? [];
    const gates = pieces.map(() => gate());
    site.script.answer = async function* () {
      for (const [index, delta] of pieces.entries()) {
        yield { type: "text-delta", delta };
        await gates[index]?.opened;
      }
    };
    const own = site.script.answer;
    // Formulas are shown as their source until their code has loaded.
    site.script.answer = () => textEvents("$x^2$");
    await chat.open();
    await chat.converse("Формула");
    await expect(chat.answerTexts.locator("math")).toBeVisible();
    site.script.answer = own;
    await chat.newThread();
    await chat.ask("Вопрос");
    const frames: Frame[] = [];
    for (const each of gates) {
      frames.push(...(await nextFrames(page)));
      each.open();
    }
    await chat.idle();
    frames.push(...(await nextFrames(page)));

    expect(new Set(frames.map(({ blocks }) => blocks.length)).size).toBeGreaterThan(4);
    for (const [index, after] of frames.entries()) {
      const before = frames[index - 1] ?? { blocks: [], height: 0 };
      const told = JSON.stringify([before, after], undefined, 1);
      expect(after.blocks.length, `a block went: ${told}`).toBeGreaterThanOrEqual(before.blocks.length);
      expect(after.height, `the page jumped: ${told}`).toBeGreaterThan(before.height - line);
      const closed = before.blocks.slice(0, -1);
      expect(after.blocks.slice(0, closed.length), `what stood above changed: ${told}`).toEqual(closed);
      const [open, now] = [before.blocks, after.blocks].map((blocks) => blocks[closed.length]);
      expect(now?.top, `the open block moved: ${told}`).toBe(open?.top ?? now?.top);
      const shown = wordsOf(open?.text ?? "").slice(0, -1);
      expect(wordsOf(now?.text ?? "").slice(0, shown.length), `shown words changed: ${told}`).toEqual(shown);
    }
  });
}

/** The frames of the answer after the text so far. Two are needed, because the first may still be an earlier one. */
function nextFrames(page: Page): Promise<readonly Frame[]> {
  return page.evaluate(async () => {
    const frames: Frame[] = [];
    for (let count = 0; count < 2; count += 1) {
      await new Promise(requestAnimationFrame);
      const answer = document.querySelector("nitka-chat")?.shadowRoot?.querySelector(".answer .markdown");
      if (!answer) continue;
      const { top, height } = answer.getBoundingClientRect();
      const blocks = [...answer.querySelectorAll(".block-group > *")].map((block) => {
        const copy = block.cloneNode(true) as Element;
        // The source of a formula is beside it.
        for (const formula of copy.querySelectorAll("math")) formula.remove();
        // A reference is text until its definition has arrived.
        const text = copy.textContent.replaceAll(/(?<=\])\[\w+\]|[[\]]/g, "");
        return { tag: block.localName, text, top: Math.round(block.getBoundingClientRect().top - top) };
      });
      frames.push({ blocks, height: Math.round(height) });
    }
    return frames;
  });
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
