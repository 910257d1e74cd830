import { gate } from "../backend.ts";
import { core, expect, test } from "../fixtures.ts";
import { scriptedSpeech } from "../scripted-speech.ts";

test(
  "a tooltip stays while the pointer is on it, and disappears when the pointer leaves",
  core,
  async ({ chat, page }) => {
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
    await chat.open();
    await chat.button("Сгенерировать заново").hover();
    const tooltip = chat.tooltip("Сгенерировать заново");
    await expect(tooltip).toBeVisible();
    const [button, box] = await Promise.all([chat.button("Сгенерировать заново").boundingBox(), tooltip.boundingBox()]);
    if (!button || !box) throw new Error("no boxes");
    // The pointer moves slowly through the gap between them, as under a magnifier.
    const x = box.x + box.width / 2;
    for (let y = button.y + button.height / 2; y <= box.y + box.height / 2; y += 1) await page.mouse.move(x, y);
    await expect(tooltip).toBeVisible();
    await page.mouse.move(x, box.y + box.height + 60, { steps: 20 });
    await expect(tooltip).toBeHidden();
  },
);

test("Escape hides only the tooltip: the answer continues, and the panel stays open", async ({ chat, page }) => {
  const held = gate();
  chat.site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Пишу" };
    await held.opened;
  };
  await chat.goto("/", { options: `{ layout: "launcher" }` });
  await chat.button("Открыть чат").click();
  await chat.ask("Вопрос");
  await expect(chat.answerTexts).toContainText(["Пишу"]);
  await chat.stopButton.hover();
  await expect(chat.tooltip("Остановить генерацию")).toBeVisible();
  await expect(chat.composer).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(chat.tooltip("Остановить генерацию")).toBeHidden();
  await expect(chat.stopButton).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.answerTexts).toContainText(["Ответ остановлен."]);
  held.open();

  await chat.sidebarToggle.hover();
  await expect(chat.tooltip("Боковая панель")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.tooltip("Боковая панель")).toBeHidden();
  await expect(chat.composer).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.composer).toBeHidden();
});

test("a tooltip that is open follows the name of its button", async ({ chat, page }) => {
  await chat.config({ voice: { input: true } });
  await chat.open("/", { head: scriptedSpeech });
  await chat.button("Диктовать").click();
  await page.mouse.move(0, 0);
  await chat.button("Остановить запись").hover();
  const tooltip = chat.root.getByRole("tooltip");
  await expect(tooltip).toHaveText("Остановить запись");
  await page.evaluate(() => window.speech.fail("not-allowed"));
  await expect(chat.button("Диктовать")).toBeVisible();
  await expect(tooltip).toHaveText("Диктовать");
  await chat.button("Диктовать").press("Escape");
  await expect(tooltip).toBeHidden();
});
