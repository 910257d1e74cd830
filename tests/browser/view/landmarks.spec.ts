import type { Page } from "@playwright/test";
import { axeViolations } from "../axe-violations.ts";
import { core, expect, test } from "../fixtures.ts";

/** The faults in the landmarks and headings of the whole page, including the widget. */
function faults(page: Page): Promise<readonly string[]> {
  const rules = [
    "landmark-no-duplicate-main",
    "landmark-main-is-top-level",
    "landmark-complementary-is-top-level",
    "landmark-unique",
    "landmark-one-main",
    "heading-order",
    "page-has-heading-one",
  ];
  return axeViolations(page, (axe) => axe.withRules(rules));
}

const turns = [["Вопрос", "# Первый\n\nТекст\n\n## Второй\n\nЕщё"]] as const;

for (const { name, options, body } of [
  {
    name: "inside the page's main part",
    options: `{ target: "#chat" }`,
    body: `<h1>Магазин</h1><div id="chat"></div>`,
  },
  { name: "over it", options: `{ layout: "launcher" }`, body: `<h1>Магазин</h1>` },
]) {
  test(
    `the page keeps its one main part and its one first heading with the widget ${name}`,
    core,
    async ({ chat, page }) => {
      await chat.seed({ title: "Разговор", turns });
      await chat.goto("/", { options, body: `<main>${body}</main>` });
      if (options.includes("launcher")) await chat.button("Открыть чат").click();
      await chat.opened();
      await expect(chat.answerTexts).toHaveCount(1);
      expect(await faults(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      await chat.sidebarToggle.click();
      await expect(chat.root.getByRole("dialog", { name: "Боковая панель" })).toBeVisible();
      expect(await faults(page)).toEqual([]);
    },
  );
}

test("each message has a heading, and an answer's own headings have lower levels", async ({ chat }) => {
  await chat.seed({ title: "Разговор", turns });
  await chat.open();
  const thread = chat.root.getByRole("region", { name: "Переписка" });
  const levels = () =>
    thread
      .getByRole("heading")
      .evaluateAll((headings) => headings.map(({ localName, textContent }) => `${localName} ${textContent}`));
  await expect.poll(levels).toEqual(["h2 Вы:", "h2 Ассистент:", "h3 Первый", "h4 Второй"]);
  await expect(chat.answers).toHaveText([/^Ассистент:/]);
});
