/** The code in docs/extending.md that a page or a backend would copy. */
import { readFile } from "node:fs/promises";
import type { WireEvent } from "../backend.ts";
import { textEvents } from "../backend.ts";
import { expect, test } from "../fixtures.ts";

/** The code blocks in a section. */
async function codeIn(heading: string): Promise<readonly string[]> {
  const text = await readFile(new URL("../../../docs/extending.md", import.meta.url), "utf8");
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const [own = ""] = section.split(/\n## /);
  return [...own.matchAll(/```[jt]s\n(.*?)```/gs)].map(([, code = ""]) => code);
}

test("the renderer in the docs shows an order", async ({ chat, page, site }) => {
  const [code = ""] = await codeIn("Own views");
  site.script.answer = () => [
    { type: "tool-input-available", toolCallId: "c", toolName: "show_order", input: {} },
    { type: "tool-output-available", toolCallId: "c", output: { sum: 5480 } },
  ];
  await chat.open("/", { script: code });
  await chat.converse("Где заказ?");
  await expect(page.locator(".order-card")).toHaveText("Заказ на 5480 ₽");
});

test("the form in the docs answers a call that waits", async ({ chat, page }) => {
  const [, code = ""] = await codeIn("Own views");
  await chat.goto("/", {
    script: `${code}
      window.answers = [];
      const api = { answer: async (output) => void answers.push(output) };
      chooseSize(document.body, { state: "streaming" }, api);
      chooseSize(document.body, { state: "waiting" }, api);`,
  });
  await page.getByRole("button", { name: "M" }).click();
  expect(await page.evaluate(() => Reflect.get(window, "answers"))).toEqual([{ size: "M" }]);
});

test("the event in the docs suggests what to ask", async ({ chat, page, site }) => {
  const [code = ""] = await codeIn("Suggestions");
  await chat.open();
  const event = (await page.evaluate(`(() => { ${code} return event; })()`)) as WireEvent;
  site.script.answer = () => [...textEvents("Заказ 7 в пути."), event];
  await chat.converse("Где заказ?");
  await expect(chat.button("Когда привезут?")).toBeVisible();
});

test("the callback in the docs is called for a rating", async ({ chat, page }) => {
  const [code = ""] = await codeIn("Feedback");
  await chat.config({ features: { feedback: true } });
  await chat.open("/", {
    script: `window.tracked = [];
      const track = (name, detail) => tracked.push([name, detail.rating]);
      ${code}`,
  });
  await chat.converse("Вопрос");
  await chat.button("Хороший ответ").click();
  await expect.poll(() => page.evaluate(() => Reflect.get(window, "tracked"))).toEqual([["answer rated", "up"]]);
});
