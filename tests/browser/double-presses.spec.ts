/** The second press of a double click when the first one has moved another control under the pointer. */
import type { Locator, Page } from "@playwright/test";
import { gate, textEvents } from "./backend.ts";
import { core, expect, test } from "./fixtures.ts";
import { atOnce, callServer, watchToolAnswers } from "./visitor-calls.ts";

/** Double-clicks like a hand: without moving, whatever the first press has changed by then. */
async function pressTwice(page: Page, control: Locator, changed: () => Promise<void>): Promise<void> {
  const box = await control.boundingBox();
  if (!box) throw new Error("The control is not visible.");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down({ clickCount: 1 });
  await page.mouse.up({ clickCount: 1 });
  await changed();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
}

test("a double click on «Отправить» sends once, and does not stop the answer", core, async ({ chat, page, site }) => {
  const held = gate();
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Начало" };
    await held.opened;
    yield { type: "text-delta", delta: ", конец" };
  };
  await chat.open();
  await chat.composer.fill("Вопрос");
  await pressTwice(page, chat.sendButton, () => expect(chat.stopButton).toBeVisible());
  await expect(chat.answerTexts).toContainText("Начало");
  held.open();
  await chat.idle();
  await expect(chat.answerTexts).toHaveText(["Начало, конец"]);
});

test("a double click on the stop button stops and does not send the draft", async ({ chat, page, site }) => {
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Начало" };
    await gate().opened;
  };
  await chat.open();
  await chat.ask("Вопрос");
  await expect(chat.answerTexts).toContainText("Начало");
  await chat.composer.fill("Черновик");
  await pressTwice(page, chat.stopButton, () => expect(chat.sendButton).toBeVisible());
  await expect(chat.composer).toHaveValue("Черновик");
  await expect(chat.questions).toHaveCount(1);
});

test(
  "a double click on «Разрешить» decides one call, although the next one moves under the pointer",
  core,
  async ({ chat, page }) => {
    const told = watchToolAnswers(page);
    chat.site.script.answer = async function* ({ visitor }) {
      yield* atOnce(
        callServer(visitor, { toolName: "cancel_order", toolCallId: "c1", input: { order: 4521, gift: true } }),
        callServer(visitor, { toolName: "delete_account", toolCallId: "c2" }),
      );
      yield* textEvents("Готово.");
    };
    await chat.open();
    await chat.ask("Сделай обе вещи");
    const group = (tool: string) => chat.answers.getByRole("group", { name: `Нужно ваше разрешение: ${tool}` });
    const allow = chat.button("Разрешить", group("cancel_order"));
    await expect(group("delete_account")).toBeVisible();
    const place = await allow.boundingBox();
    await pressTwice(page, allow, async () => {
      await expect(group("cancel_order")).toHaveCount(0);
      const now = await chat.button("Разрешить", group("delete_account")).boundingBox();
      // Under the pointer means nearer than half of its height.
      expect(place && now && Math.abs(place.y - now.y)).toBeLessThan(18);
    });
    await expect(chat.button("Разрешить", group("delete_account"))).toBeVisible();
    await expect.poll(() => told).toEqual(['{"approved":true}']);
  },
);

test("a double click on a row's bin deletes one chat", async ({ chat, page }) => {
  await chat.seed({ title: "Третий" }, { title: "Второй" }, { title: "Первый" });
  await chat.open();
  await chat.row("Второй").hover();
  await pressTwice(page, chat.button("Удалить чат", chat.row("Второй")), async () => {
    await expect(chat.row("Второй")).toHaveCount(0);
  });
  await expect(chat.row("Третий")).toBeVisible();
  await chat.rowLink("Третий").click();
  await expect(chat.title).toHaveText("Третий");
  await page.reload();
  await expect(chat.threads).toHaveCount(2);
});

test("all quick presses on a button count, although the button changes after each", async ({ chat, page }) => {
  await chat.seed({ turns: [["Вопрос", "Ответ"]] });
  await chat.open();
  for (const count of [2, 3]) {
    await chat.button("Сгенерировать заново").click();
    await expect(chat.root.locator(".branch-number")).toHaveText(`${count} / ${count}`);
    await chat.idle();
  }
  const previous = chat.button("Предыдущий вариант");
  await pressTwice(page, previous, () => expect(chat.root.locator(".branch-number")).toHaveText("2 / 3"));
  await expect(chat.root.locator(".branch-number")).toHaveText("1 / 3");
});
