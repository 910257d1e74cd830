import type { Page } from "@playwright/test";
import { axeViolations } from "../axe-violations.ts";
import { textEvents } from "../backend.ts";
import { core, expect, motion, test } from "../fixtures.ts";
import { indistinct } from "../indistinct.ts";
import { animationsEnd, visitStates } from "../states.ts";
import { visitHabitStates } from "../habit-states.ts";

test.use(motion);

const wcag22 = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The violations of WCAG 2.2 AA, or of this rule alone. */
function violations(page: Page, rule?: string): Promise<readonly string[]> {
  return axeViolations(page, (axe) =>
    rule === undefined ? axe.include("nitka-chat").withTags(wcag22) : axe.include("nitka-chat").withRules(rule),
  );
}

/**
 * The rules that hold in every state, with these settings of the visitor. Among axe's rules only the one about contrast depends
 * on the colour scheme.
 */
const rules = [
  {
    title: "the accessibility checker finds no violation in any state (light)",
    media: { colorScheme: "light", forcedColors: "none" },
    findFaults: (page: Page) => violations(page),
  },
  {
    title: "the accessibility checker finds no violation in any state (dark)",
    media: { colorScheme: "dark", forcedColors: "none" },
    findFaults: (page: Page) => violations(page, "color-contrast"),
  },
  {
    title: "every control, mark and progress bar is visible in forced colours (light)",
    media: { colorScheme: "light", forcedColors: "active" },
    findFaults: indistinct,
  },
  {
    title: "every control, mark and progress bar is visible in forced colours (dark)",
    media: { colorScheme: "dark", forcedColors: "active" },
    findFaults: indistinct,
  },
] as const;

for (const { title, visitAll } of [
  { title: "every state of the widget can be perceived", visitAll: visitStates },
  {
    title: "every state of search, speech, deleted chats, long texts, the wide panel and agreement can be perceived",
    visitAll: visitHabitStates,
  },
]) {
  test(title, async ({ chat, page, console }) => {
    console.allow(/./);
    const found = rules.map((): Record<string, readonly string[]> => ({}));
    await visitAll(chat, async (state) => {
      for (const [index, { media, findFaults }] of rules.entries()) {
        await page.emulateMedia(media);
        await animationsEnd(chat);
        const faults = await findFaults(page);
        if (faults.length > 0) Object.assign(found[index] ?? {}, { [state]: faults });
      }
      await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
    });
    for (const [index, rule] of rules.entries()) {
      await test.step(rule.title, () => expect.soft(found[index]).toEqual({}));
    }
  });
}

test(
  "the accessibility checker finds no violation in the sheet, the editor and a failure",
  core,
  async ({ chat, page, console }) => {
    console.allow(/./);
    await page.setViewportSize({ width: 390, height: 800 });
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
    await chat.open();
    await chat.stub("POST", /run\/stream/, { status: 400, body: "сломано" }, 1);
    await chat.ask("Не дойдёт");
    await expect(chat.retryButton).toBeVisible();
    await chat.button("Редактировать").first().click();
    expect(await violations(page)).toEqual([]);
    await chat.button("Отмена").click();
    await chat.sidebarToggle.click();
    await expect(chat.root.getByRole("dialog")).toBeVisible();
    expect(await violations(page)).toEqual([]);
  },
);

test("a live region outside the transcript announces an answer sentence by sentence", async ({ chat, page, site }) => {
  site.script.answer = () => textEvents("Первое предложение готово. Второе тоже, и оно длиннее. Третье — последнее.");
  await chat.open();
  await page.evaluate(() => {
    const announced: string[] = [];
    Object.defineProperty(window, "announced", { value: announced });
    const root = document.querySelector("nitka-chat")?.shadowRoot;
    if (!root) throw new Error("no shadow root");
    new MutationObserver((records) => {
      for (const { addedNodes, target } of records) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(
          "[aria-live], [role=status], [role=log]",
        );
        if (!region || region.getAttribute("aria-live") === "off") continue;
        for (const node of addedNodes) announced.push(node.textContent ?? "");
      }
    }).observe(root, { childList: true, subtree: true });
  });
  await chat.converse("Вопрос");
  const announced = () => page.evaluate(() => Reflect.get(window, "announced") as string[]);
  await expect.poll(async () => (await announced()).join(" ")).toContain("Третье — последнее.");
  const answer = (await announced()).filter((text) => /предложение|Второе|Третье/.test(text));
  for (const text of answer) expect(text.trim()).toMatch(/[.!?…]$/);
  expect(answer.length).toBeLessThanOrEqual(4);
  expect(await chat.answers.locator("xpath=ancestor-or-self::*[@aria-live]").count()).toBe(0);
});
