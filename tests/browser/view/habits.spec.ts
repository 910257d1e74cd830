import { gate, textEvents } from "../backend.ts";
import { expect, test } from "../fixtures.ts";
import { announcedIn, recordAnnouncements } from "../screen-reader.ts";

test("Enter during an answer sends nothing, says so once, and the text stays", async ({ chat, page, site }) => {
  await recordAnnouncements(page);
  const answer = gate();
  site.script.answer = async function* () {
    await answer.opened;
    yield* textEvents("Готово");
  };
  await chat.open();
  await chat.ask("Первый");
  await expect(chat.button("Остановить генерацию")).toBeVisible();
  await chat.composer.fill("Второй");
  await page.keyboard.press("Enter");
  const note = chat.root.locator("form").getByText("Ассистент ещё отвечает.");
  await expect(note).toBeVisible();
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await announcedIn(page)).filter((text) => text.startsWith("Ассистент ещё")))
    .toHaveLength(1);
  await expect(chat.composer).toHaveValue("Второй");
  await expect(chat.questions).toHaveCount(1);
  answer.open();
  await expect(note).toBeHidden();
  await expect(chat.composer).toHaveValue("Второй");
  await page.keyboard.press("Enter");
  await expect(chat.questions).toHaveCount(2);
});

test("ArrowUp in an empty composer edits the last question of the shown branch", async ({ chat, page }) => {
  await chat.seed({
    title: "Разговор",
    turns: [
      ["Первый вопрос", "Ответ"],
      ["Второй вопрос", "Ответ"],
    ],
  });
  await chat.open();
  await expect(chat.questions).toHaveCount(2);
  await chat.composer.focus();
  await page.keyboard.type("я");
  await page.keyboard.press("ArrowUp");
  // As in any field, the caret moves to the beginning.
  await page.keyboard.press("Delete");
  await expect(chat.composer).toHaveValue("");
  const editor = chat.root.getByRole("textbox", { name: "Изменить сообщение" });
  await expect(editor).toHaveCount(0);
  await page.keyboard.press("ArrowUp");
  await expect(editor).toBeFocused();
  await expect(editor).toHaveValue("Второй вопрос");
  await page.keyboard.press("Escape");
  await expect(editor).toHaveCount(0);
});

test("a press anywhere in the composer focuses its field", async ({ chat, page }) => {
  await chat.open();
  await page.evaluate(() =>
    document.querySelector("nitka-chat")?.shadowRoot?.querySelector<HTMLElement>(":focus")?.blur(),
  );
  await expect(chat.composer).not.toBeFocused();
  const box = await chat.root.locator(".composer-tools").boundingBox();
  if (!box) throw new Error("The tools have no box.");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(chat.composer).toBeFocused();
});

test("a long text that is pasted stays in the draft, and becomes a file by a press", async ({
  chat,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await chat.open();
  const long = `${"Строка журнала.\n".repeat(300)}Конец.`;
  const asFile = chat.button("Вставить файлом");
  await chat.composer.fill("До: ");
  await page.evaluate((text) => navigator.clipboard.writeText(text), long);
  await chat.composer.press("End");
  await page.keyboard.press("ControlOrMeta+v");
  await expect(chat.composer).toHaveValue(`До: ${long}`);
  await expect(asFile).toBeVisible();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("!");
  await expect(asFile).toBeHidden();
  await page.keyboard.press("Backspace");
  await asFile.click();
  await expect(chat.composer).toHaveValue("До: ");
  await expect(chat.root.getByText("Вставленный текст.txt", { exact: true })).toBeVisible();
  await expect(asFile).toBeHidden();
  await chat.composer.press("ControlOrMeta+z");
  await expect(chat.composer).toHaveValue(`До: ${long}`);
});

test("messages have their times, and days are divided by lines", async ({ chat, page }) => {
  await page.clock.install({ time: new Date("2026-05-04T12:00:00Z") });
  await chat.seed({ title: "Разговор", at: new Date("2026-03-02T09:05:00Z"), turns: [["Весной", "Ответ"]] });
  await chat.open();
  await expect(chat.root.locator(".day-line")).toHaveText("2 марта");
  await expect(chat.questions.first()).toHaveAccessibleDescription(/2 марта 2026/);
  await expect(chat.answers.first().locator("time")).toHaveText("12:05");
  await chat.questions.first().locator("time").hover();
  await page.clock.runFor(800);
  await expect(chat.tooltip("2 марта 2026 г. в 12:05")).toBeVisible();
  await chat.converse("Сегодня");
  await expect(chat.root.locator(".day-line")).toHaveText(["2 марта", "Сегодня"]);
  await expect(chat.questions.last().locator("time")).toHaveText("15:00");
});

test("a long question is folded, and unfolds by a press", async ({ chat }) => {
  const long = Array.from({ length: 60 }, (_, index) => `Строка ${index}`).join("\n");
  await chat.seed({
    title: "Разговор",
    turns: [
      [long, "Ответ"],
      ["Короткий", "Ответ"],
    ],
  });
  await chat.open();
  const bubble = chat.questions.first().locator(".bubble");
  const height = async () => (await bubble.boundingBox())?.height ?? 0;
  await expect(chat.button("Показать полностью")).toHaveCount(1);
  expect(await height()).toBeLessThan(340);
  await expect(chat.button("Показать полностью")).toHaveAttribute("aria-expanded", "false");
  await chat.button("Показать полностью").press("Enter");
  expect(await height()).toBeGreaterThan(1200);
  await expect(chat.button("Свернуть")).toBeInViewport({ ratio: 1 });
  await chat.button("Свернуть").press("Enter");
  expect(await height()).toBeLessThan(340);
});

test("the button to the end says that text has grown out of sight", async ({ chat, page, site }) => {
  await page.setViewportSize({ width: 800, height: 500 });
  const answer = gate();
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Абзац.\n\n".repeat(60)]] });
  site.script.answer = async function* () {
    await answer.opened;
    yield* textEvents(`${"Абзац.\n\n".repeat(40)}Конец.`);
  };
  await chat.open();
  const down = chat.button("Прокрутить вниз");
  await chat.ask("Ещё");
  await expect(chat.button("Остановить генерацию")).toBeVisible();
  await page.mouse.move(400, 200);
  await page.mouse.wheel(0, -900);
  await expect(down).toBeVisible();
  await expect(down).toHaveAccessibleDescription(/Ниже есть новый текст/);
  answer.open();
  await expect(chat.button("Остановить генерацию")).toBeHidden();
  await expect(down).toHaveAccessibleDescription(/Ниже есть новый текст/);
  await down.click();
  await expect(down).toBeHidden();
  await page.mouse.wheel(0, -900);
  await expect(down).toBeVisible();
  await expect(down).not.toHaveAccessibleDescription(/Ниже есть новый текст/);
});
