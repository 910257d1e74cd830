import type { Page } from "@playwright/test";
import { gate, textEvents } from "../backend.ts";
import { core, expect, test } from "../fixtures.ts";
import { announcedIn, recordAnnouncements } from "../screen-reader.ts";

/** Copying fails, as in a frame without the permission to write to the clipboard. */
async function refuseCopying(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const refuse = async () => {
      throw new DOMException("denied", "NotAllowedError");
    };
    Object.defineProperty(Clipboard.prototype, "writeText", { value: refuse });
    Object.defineProperty(Clipboard.prototype, "write", { value: refuse });
    Object.defineProperty(Document.prototype, "execCommand", { value: () => false });
  });
}

test.describe("copying", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test("puts the answer's text on the clipboard and shows «Скопировано» for 1.2 s", core, async ({ chat, page }) => {
    await page.clock.install();
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ **жирный**"]] });
    await chat.open();
    await expect(chat.answers).toHaveCount(1);
    await chat.freezeClock();
    await chat.button("Копировать", chat.answers).click();
    await chat.tickUntil(16, () => chat.tooltip("Скопировано").isVisible());
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("Ответ **жирный**");
    await page.clock.runFor(1000);
    await expect(chat.tooltip("Скопировано")).toBeVisible();
    await page.clock.runFor(300);
    await chat.tickUntil(100, () => chat.tooltip("Скопировано").isHidden());
  });

  test("puts a question's text on the clipboard", async ({ chat, page }) => {
    await chat.seed({ title: "Разговор", turns: [["Мой вопрос", "Ответ"]] });
    await chat.open();
    await chat.button("Копировать", chat.questions).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("Мой вопрос");
  });

  test("shows «Не удалось скопировать» for 1.2 s when it fails", core, async ({ chat, page }) => {
    await refuseCopying(page);
    await page.clock.install();
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
    await chat.open();
    await expect(chat.answers).toHaveCount(1);
    await chat.freezeClock();
    await chat.button("Копировать", chat.answers).click();
    await chat.tickUntil(16, () => chat.tooltip("Не удалось скопировать").isVisible());
    await chat.tickUntil(300, () => chat.tooltip("Не удалось скопировать").isHidden());
  });

  test("of code says when it fails, and can be tried again", async ({ chat, page }) => {
    await recordAnnouncements(page);
    await refuseCopying(page);
    await page.clock.install();
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Код:\n\n```js\nconst a = 1;\n```"]] });
    await chat.open();
    const button = chat.answers.locator(".copy-code");
    await expect(button).toHaveAttribute("data-outcome", "none");
    const shape = () => button.locator("path").first().getAttribute("d");
    const atRest = await shape();
    await chat.freezeClock();
    for (let press = 0; press < 2; press += 1) {
      await button.click();
      await chat.tickUntil(16, async () => (await button.getAttribute("data-outcome")) === "fail");
      expect(await shape()).not.toBe(atRest);
      await page.clock.runFor(3000);
      await expect(button).toHaveAttribute("data-outcome", "none");
      expect(await shape()).toBe(atRest);
    }
    expect(await announcedIn(page)).toEqual(["Не удалось скопировать", "Не удалось скопировать"]);
  });

  test("does nothing when the answer has no text", core, async ({ chat, page }) => {
    await chat.openHistory([
      {
        id: "a1",
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "c1", toolName: "weather", argsText: "{}", result: "ясно" }],
      },
    ]);
    await page.evaluate(() => navigator.clipboard.writeText("прежнее"));
    const copy = chat.button("Копировать", chat.answers);
    if ((await copy.count()) > 0 && (await copy.isEnabled())) await copy.click();
    await expect(chat.tooltip("Скопировано")).toHaveCount(0);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("прежнее");
  });
});

test.describe("action bars", () => {
  test("are hidden on every message during a run, and their space is kept", core, async ({ chat, site }) => {
    const restOfAnswer = gate();
    await chat.seed({ title: "Разговор", turns: [["Первый", "Первый ответ"]] });
    await chat.open();
    await expect(chat.button("Копировать")).toHaveCount(2);
    const height = async () => (await chat.answers.first().boundingBox())?.height;
    const before = await height();
    site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Пишу" };
      await restOfAnswer.opened;
    };
    await chat.ask("Второй");
    await expect(chat.answerTexts).toHaveText([/Первый ответ/, /Пишу/]);
    for (const name of ["Копировать", "Редактировать", "Сгенерировать заново"]) {
      await expect(chat.button(name)).toHaveCount(0);
    }
    expect(await height()).toBe(before);
    restOfAnswer.open();
    await chat.idle();
    await expect(chat.button("Копировать")).toHaveCount(4);
  });

  test(
    "are visible without hover: copy and edit on questions, copy and regenerate on answers",
    core,
    async ({ chat }) => {
      await chat.seed({
        title: "Разговор",
        turns: [
          ["Первый", "Ответ 1"],
          ["Второй", "Ответ 2"],
        ],
      });
      await chat.open();
      for (const question of await chat.questions.all()) {
        await expect(chat.button("Копировать", question)).toBeVisible();
        await expect(chat.button("Редактировать", question)).toBeVisible();
        await expect(chat.button("Сгенерировать заново", question)).toHaveCount(0);
      }
      for (const answer of await chat.answers.all()) {
        await expect(chat.button("Копировать", answer)).toBeVisible();
        await expect(chat.button("Сгенерировать заново", answer)).toBeVisible();
        await expect(chat.button("Редактировать", answer)).toHaveCount(0);
      }
    },
  );
});

test.describe("editing a question", () => {
  test("changes nothing when «Отмена» ends it", core, async ({ chat }) => {
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
    await chat.open();
    await chat.button("Редактировать").click();
    await expect(chat.editor).toBeFocused();
    await expect(chat.editor).toHaveValue("Вопрос");
    await chat.editor.fill("Другое");
    await chat.button("Отмена").click();
    await expect(chat.editor).toHaveCount(0);
    await expect(chat.questionTexts).toHaveText(["Вопрос"]);
  });

  test("is cancelled by Escape and submitted by Enter, and Shift+Enter adds a line", async ({ chat }) => {
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
    await chat.open();
    await chat.button("Редактировать").click();
    await chat.editor.press("Escape");
    await expect(chat.editor).toHaveCount(0);
    await chat.button("Редактировать").click();
    await chat.editor.fill("Новый");
    await chat.editor.press("Shift+Enter");
    await expect(chat.editor).toHaveValue("Новый\n");
    await chat.editor.fill("Новый вопрос");
    await chat.editor.press("Enter");
    await expect(chat.questionTexts).toHaveText([/Новый вопрос/]);
    await expect(chat.answerTexts).toHaveText([/Ответ на «Новый вопрос»/]);
  });

  test("sends a sibling on «Обновить», and the later messages stay on the other branch", async ({ chat, page }) => {
    await chat.seed({
      title: "Разговор",
      turns: [
        ["Первый", "Ответ 1"],
        ["Второй", "Ответ 2"],
      ],
    });
    await chat.open();
    const run = page.waitForRequest(/run\/stream/);
    await chat.button("Редактировать", chat.questions.first()).click();
    await chat.editor.fill("Первый, но иначе");
    await chat.button("Обновить").click();
    const { messages } = (await run).postDataJSON() as { messages: { role: string }[] };
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ role: "user", parentId: null });
    await expect(chat.questionTexts).toHaveText([/Первый, но иначе/]);
    await expect(chat.answerTexts).toHaveText([/Ответ на «Первый, но иначе»/]);
  });

  test("does not submit an empty text and does not change the composer's draft", async ({ chat }) => {
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
    await chat.open();
    await chat.composer.fill("черновик");
    await chat.button("Редактировать").click();
    await chat.editor.fill("   ");
    await expect(chat.button("Обновить")).toBeDisabled();
    await chat.button("Отмена").click();
    await expect(chat.composer).toHaveValue("черновик");
  });
});

test(
  "regenerating an answer sends the same question again and shows the new answer in its place",
  core,
  async ({ chat, page, site }) => {
    await chat.open();
    const first = page.waitForRequest(/run\/stream/);
    await chat.converse("Вопрос");
    const { messages } = (await first).postDataJSON() as { messages: [{ id: string }] };
    site.script.answer = () => textEvents("Другой ответ");
    const run = page.waitForRequest(/run\/stream/);
    await chat.button("Сгенерировать заново").click();
    expect((await run).postDataJSON()).toMatchObject({
      messages: [{ id: messages[0].id, role: "user" }],
      trigger: "regenerate-message",
    });
    await expect(chat.answerTexts).toHaveText([/Другой ответ/]);
    await expect(chat.questionTexts).toHaveText(["Вопрос"]);
  },
);

test("a selection over an answer copies its text, and none of its controls", async ({ chat, page }) => {
  chat.site.script.answer = () => textEvents("Сноска[^1].\n\n```js\nconst a = 1;\n```\n\nКонец.\n\n[^1]: Её текст.");
  await chat.open();
  await chat.converse("Вопрос");
  await chat.answers.evaluate((element) => getSelection()?.selectAllChildren(element));
  const copied = await page.evaluate(() => String(getSelection()));
  expect(copied.replaceAll(/\s+/g, " ").trim()).toBe("Сноска1. const a = 1; Конец. Её текст.");
});
