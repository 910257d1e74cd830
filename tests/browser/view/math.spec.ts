/** Formulas in answers. */
import type { Page } from "@playwright/test";
import { gate } from "../backend.ts";
import { core, expect, test } from "../fixtures.ts";

/** The names of the chunks for formulas that the page has loaded. */
function mathChunks(page: Page): readonly string[] {
  const loaded: string[] = [];
  page.on("request", (request) => {
    const [name] = /\/math-[^/]+\.js/.exec(request.url()) ?? [];
    if (name !== undefined) loaded.push(name);
  });
  return loaded;
}

test("formulas are MathML, and a formula's element stays while the text grows", core, async ({ chat, site, page }) => {
  const chunks = mathChunks(page);
  const gates = [gate(), gate(), gate()];
  site.script.answer = async function* () {
    const pieces = ["Площадь \\(\\pi r", "^2\\) круга.\n\n$$\n\\frac{a", "}{b}\n$$\n\nГде ", "$a$ и $b$ **стороны**."];
    for (const [index, delta] of pieces.entries()) {
      yield { type: "text-delta", delta };
      await gates[index]?.opened;
    }
  };
  await chat.open();
  await chat.ask("Формулы");
  const answer = chat.answerTexts.last();
  const formulas = answer.locator("math");
  // A formula that is still being written is held back.
  await expect(answer).toHaveText("Площадь");
  gates[0]?.open();
  await expect(formulas).toHaveCount(1);
  const first = await formulas.first().elementHandle();
  await expect(answer).not.toContainText("frac");
  gates[1]?.open();
  await expect(formulas).toHaveCount(2);
  const second = await formulas.nth(1).elementHandle();
  expect(await second?.getAttribute("display")).toBe("block");
  gates[2]?.open();
  await chat.idle();
  await expect(formulas).toHaveCount(4);
  expect(await first?.evaluate((element) => element.isConnected)).toBe(true);
  expect(await second?.evaluate((element) => element.isConnected)).toBe(true);
  await expect(answer.locator("strong")).toHaveText("стороны");
  expect(chunks).toHaveLength(1);
});

test("prices, variables and code stay text, and load no code for formulas", async ({ chat, site, page }) => {
  const chunks = mathChunks(page);
  const text = "Было $5 и 10$, стало 5 $ и 10 $. Путь $HOME:$PATH.\n\n```sh\necho $$ \\(x\\)\n```\n";
  site.script.answer = () => [{ type: "text-delta", delta: text }];
  await chat.open();
  await chat.converse("Цены");
  // The code block shows that the answer is parsed.
  await expect(chat.answerTexts.last().locator("pre code")).toHaveText("echo $$ \\(x\\)");
  await expect(chat.answerTexts.last()).toContainText("Было $5 и 10$, стало 5 $ и 10 $. Путь $HOME:$PATH.");
  await expect(chat.answerTexts.last().locator("math")).toHaveCount(0);
  await chat.converse("Ещё раз");
  expect(chunks).toEqual([]);
});

test("an invalid formula is shown as its source, and no formula adds links, pictures or classes", async ({
  chat,
  site,
}) => {
  const sources = [
    "\\(\\frac{a\\)",
    "\\(\\href{https://evil.example}{x}\\)",
    "\\(\\includegraphics{a.png}\\)",
    "\\(\\class{shell}{y}\\)",
  ];
  site.script.answer = () => [{ type: "text-delta", delta: `${sources.join("\n\n")}\n\n\\(z^2\\)` }];
  await chat.open();
  await chat.converse("Ошибки");
  const answer = chat.answerTexts.last();
  // The last one shows that the code for formulas has loaded.
  await expect(answer.locator("msup")).toHaveCount(1);
  for (const source of sources) await expect(answer).toContainText(source);
  await expect(answer.locator("a, img, [class=shell], script, merror")).toHaveCount(0);
});

test("the answer and a selection are copied with the source of formulas", async ({ chat, site, page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const text = "Тогда $x^2$ равно \\(y_1\\).";
  site.script.answer = () => [{ type: "text-delta", delta: text }];
  await chat.open();
  await chat.converse("Копия");
  await expect(chat.answerTexts.last().locator("math")).toHaveCount(2);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await chat.button("Копировать").last().click();
  await expect.poll(clipboard).toBe(text);
  const box = await chat.answerTexts.last().locator("p").boundingBox();
  if (!box) throw new Error("The answer has no box.");
  await page.mouse.move(box.x + 1, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 4, box.y + 12, { steps: 8 });
  await page.mouse.up();
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.keyboard.press("ControlOrMeta+c");
  // Browsers put a line break before a formula.
  await expect.poll(async () => (await clipboard()).replaceAll(/\s+/g, " ").trim()).toBe(text);
});

test("a long formula scrolls within itself", async ({ chat, site, page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const sum = Array.from({ length: 40 }, (_, index) => `x_{${index}}^2`).join(" + ");
  site.script.answer = () => [{ type: "text-delta", delta: `Сумма:\n\n$$\n${sum}\n$$\n\nКонец.` }];
  await chat.open();
  await chat.converse("Длинная");
  const formula = chat.answerTexts.last().locator("math");
  await expect(formula).toBeVisible();
  const sizes = await chat.answerTexts.last().evaluate((answer) => ({
    answer: answer.scrollWidth - answer.clientWidth,
    scrolls: [...answer.querySelectorAll("span")].some((span) => span.scrollWidth > span.clientWidth + 100),
  }));
  expect(sizes).toEqual({ answer: 0, scrolls: true });
});
