/** What scrolls can be scrolled by keys: it can have the focus, which Safari gives no scroller by itself, and has a name. */
import type { Locator } from "@playwright/test";
import { gate, textEvents } from "../backend.ts";
import { expect, test } from "../fixtures.ts";
import { callServer } from "../visitor-calls.ts";

const wide = "оченьдлиннаястрока".repeat(40);
const answer = `Код:

\`\`\`JS
const a = "${wide}";
\`\`\`

Короткий:

\`\`\`
a
\`\`\`

| ${"столбец | ".repeat(20)}
| ${"- | ".repeat(20)}
| ${"значение | ".repeat(20)}

| а |
| - |
| б |
`;

/** Role and name of a scroller that keys can scroll; `undefined` for one that cannot have the focus. */
function reached(scroller: Locator): Promise<readonly (string | undefined)[]> {
  return scroller.evaluateAll((elements) =>
    elements.map((element) =>
      element.getAttribute("tabindex") === "0" ? `${element.role} «${element.ariaLabel}»` : undefined,
    ),
  );
}

test("wide code and tables are groups with a name, and those that fit are no stop of the Tab key", async ({
  chat,
  page,
}) => {
  await chat.seed({ title: "Разговор", turns: [["Вопрос", answer]] });
  await chat.open();
  await expect.poll(() => reached(chat.answers.locator("pre"))).toEqual(["group «Код JS»", undefined]);
  await expect.poll(() => reached(chat.answers.locator(".table-scroll"))).toEqual(["group «Таблица»", undefined]);
  for (const scroller of [chat.answers.locator("pre").first(), chat.answers.locator(".table-scroll").first()]) {
    await scroller.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => scroller.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  }
});

test("an answer that is being written can be scrolled by keys, although its buttons are gone", async ({
  chat,
  page,
}) => {
  const held = gate();
  chat.site.script.answer = async function* () {
    yield* textEvents(Array.from({ length: 80 }, (_, index) => `Абзац ${index}.`).join("\n\n"));
    await held.opened;
  };
  await chat.open();
  await chat.ask("Вопрос");
  await expect(chat.answerTexts).toContainText(["Абзац 79."]);
  const viewport = chat.root.getByRole("region", { name: "Переписка" });
  expect(await reached(viewport)).toEqual(["null «Переписка»"]);
  await chat.composer.press("Shift+Tab");
  // «Прокрутить вниз» is hidden at the end of the conversation.
  await expect(viewport).toBeFocused();
  const top = () => viewport.evaluate((element) => element.scrollTop);
  const before = await top();
  await page.keyboard.press("PageUp");
  await expect.poll(top).toBeLessThan(before);
  held.open();
});

test("what a tool gets and gives can be scrolled by keys", async ({ chat }) => {
  const lines = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`поле ${index}`, "слово ".repeat(30)]));
  chat.site.script.answer = async function* ({ visitor }) {
    yield { type: "tool-input-available", toolCallId: "w", toolName: "weather", input: lines };
    yield { type: "tool-output-available", toolCallId: "w", output: lines };
    yield* callServer(visitor, { toolName: "cancel_order", input: lines });
  };
  await chat.open();
  await chat.ask("Вопрос");
  await expect(chat.button("Разрешить")).toBeVisible();
  await chat.answers.getByRole("button", { name: /Used tool weather/ }).click();
  expect(await reached(chat.answers.locator(".tool-text"))).toEqual(["group «weather»", "group «Result:»"]);
  await expect.poll(() => reached(chat.answers.locator(".argument-box"))).toEqual(["group «Подробности»"]);
});
