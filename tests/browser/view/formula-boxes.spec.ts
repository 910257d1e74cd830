/** The space that formulas take: none leaves its own box, and one that is wider than the text scrolls. */
import type { Locator } from "@playwright/test";
import type { ChatPage } from "../chat-page.ts";
import { expect, test } from "../fixtures.ts";

/** Opens a thread with this answer. Returns the boxes of its formulas. */
async function show(chat: ChatPage, text: string): Promise<Locator> {
  await chat.seed({ title: "Разговор", turns: [["Вопрос", text]] });
  await chat.open();
  await expect(chat.answers.locator("math").first()).toBeAttached();
  return chat.answers.locator(".formula");
}

const sum = Array.from({ length: 40 }, (_, index) => `x_{${index}}^2`).join(" + ");

for (const tex of [
  String.raw`x\kern-12em yyyyy`,
  String.raw`\hspace{-12em}xxxxx`,
  "xx".concat(String.raw`\!`.repeat(60), "yy"),
  String.raw`\llap{xxxxxxxxxxxxxxx}`,
  String.raw`\smash{\rule{4em}{8em}}`,
  String.raw`\raisebox{-8em}{xxxxx}\kern-6em\raisebox{8em}{yyyyy}`,
]) {
  test(`a formula in a line covers nothing of the text around it: ${tex.slice(0, 40)}`, async ({ chat }) => {
    const line = "Цена четыреста рублей и ни рубля больше. ".repeat(6);
    await show(chat, `${line}\n\nЦена четыреста рублей $${tex}$ и ни рубля больше.\n\n${line}`);
    const covered = await chat.answers.locator(".markdown").evaluate((answer) => {
      const root = answer.getRootNode() as ShadowRoot;
      const found: string[] = [];
      const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT, (node) =>
        node.parentElement?.closest(".formula") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
      );
      while (walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        for (const { left, right, top, bottom } of range.getClientRects()) {
          for (let x = left + 3; x < right - 3; x += 3) {
            const hit = root.elementFromPoint(x, (top + bottom) / 2);
            if (hit?.closest("math")) found.push(`${Math.round(x)} ${Math.round(top)}`);
          }
        }
      }
      return found;
    });
    expect(covered).toEqual([]);
  });
}

test("a formula in a line stands on the text's own line", async ({ chat }) => {
  await show(chat, "Икс и\n\nИкс $x$ и\n\nДробь $\\frac{a}{b}$ и $y_1^2$");
  const heights = await chat.answers
    .locator(".markdown p")
    .evaluateAll((paragraphs) => paragraphs.map((paragraph) => paragraph.getBoundingClientRect().height));
  expect(heights[1]).toBe(heights[0]);
  const bottoms = await chat.answers
    .locator(".markdown p")
    .nth(1)
    .evaluate((paragraph) => {
      const range = document.createRange();
      range.selectNodeContents(paragraph.childNodes[0] as Text);
      return [range, paragraph.querySelector("mi")].map((part) => part?.getBoundingClientRect().bottom ?? 0);
    });
  expect(Math.abs((bottoms[0] ?? 0) - (bottoms[1] ?? 100))).toBeLessThan(8);
});

for (const [where, text] of [
  ["alone", `Сумма:\n\n$$\n${sum}\n$$\n\nКонец.`],
  ["in a line", `Сумма $${sum}$ велика.`],
  ["in a list", `- Сумма $${sum}$ велика.\n- Конец.`],
  ["in a quote", `> Сумма:\n>\n> $$\n> ${sum}\n> $$`],
] as const) {
  test(`a wide formula ${where} is scrolled by keys, and is no stop of the Tab key where it fits`, async ({
    chat,
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    const formula = await show(chat, text);
    const reached = () =>
      formula.evaluate((element) => [element.getAttribute("tabindex"), element.role, element.ariaLabel]);
    await expect.poll(reached).toEqual(["0", "group", "Формула"]);
    await formula.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => formula.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    // Its end can be reached, and nothing is beside the thread.
    await page.keyboard.press("End");
    for (let presses = 0; presses < 80; presses += 1) await page.keyboard.press("ArrowRight");
    const beyond = () =>
      formula.evaluate((element) => {
        const last = element.querySelector("math")?.getBoundingClientRect().right ?? Number.NaN;
        return Math.round(last - element.getBoundingClientRect().right);
      });
    await expect.poll(beyond).toBeLessThan(4);
    const answer = chat.answers.locator(".markdown");
    expect(await answer.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);

    await page.setViewportSize({ width: 3000, height: 800 });
    await chat.root.evaluate((element) => element.style.setProperty("--nitka-thread-width", "2600px"));
    await expect.poll(reached).toEqual([null, null, null]);
    const height = (box: { readonly height: number } | null) => box?.height;
    if (where === "in a line") expect(height(await answer.locator("p").boundingBox())).toBeLessThan(40);
  });
}

test("a formula that fits is no stop of the Tab key", async ({ chat }) => {
  const formulas = await show(chat, "Площадь $\\pi r^2$ круга.\n\n$$\n\\frac{a}{b}\n$$\n\nКонец.");
  await expect(formulas).toHaveCount(2);
  await chat.composer.focus();
  await expect(chat.answers.locator(".formula[tabindex]")).toHaveCount(0);
});
