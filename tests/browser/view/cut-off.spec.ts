/** Answers that reached their maximum length, or that the service cut off. */
import { done } from "../backend.ts";
import { expect, plain, test } from "../fixtures.ts";
import { announcedIn, recordAnnouncements } from "../screen-reader.ts";

const LENGTH = "Ответ обрезан: достигнут предел длины.";
const FILTERED = "Сервис остановил этот ответ.";

test(
  "an answer cut at its maximum length says so, and «Продолжить» asks for the rest and keeps the draft",
  plain,
  async ({ chat, page }) => {
    await recordAnnouncements(page);
    chat.answersRaw(
      { type: "start" },
      { type: "text-delta", delta: "Во-первых, во-вторых" },
      { type: "finish", finishReason: "length" },
      done,
    );
    await chat.open();
    await chat.converse("Почему?");
    await expect(chat.answers.last()).toContainText(LENGTH);
    await expect.poll(async () => (await announcedIn(page)).filter((text) => text === LENGTH)).toHaveLength(1);
    await expect(chat.answers.locator(chat.failure)).toHaveCount(0);
    const gap = await chat.button("Продолжить", chat.answers).evaluate((button) => {
      const sentence = button.previousElementSibling?.getBoundingClientRect();
      return button.getBoundingClientRect().top - (sentence?.bottom ?? 0);
    });
    expect(gap).toBe(8);
    await chat.composer.fill("Черновик");
    await chat.button("Продолжить", chat.answers).click();
    await expect(chat.questionTexts.last()).toHaveText("Продолжи, пожалуйста.");
    await expect(chat.composer).toBeFocused();
    await expect(chat.composer).toHaveValue("Черновик");
    await chat.idle();
    await expect(chat.answers).toContainText([LENGTH, LENGTH]);
    await expect(chat.button("Продолжить", chat.answers.first())).toHaveCount(0);
    await expect(chat.button("Продолжить", chat.answers.last())).toBeVisible();
  },
);

test("an answer that the service stopped says so, and has no button", async ({ chat }) => {
  await chat.openHistory([
    { id: "q1", role: "user", content: "Вопрос" },
    { id: "a1", role: "assistant", content: "Начало", status: { type: "incomplete", reason: "content-filter" } },
  ]);
  await expect(chat.answers).toContainText([FILTERED]);
  await expect(chat.button("Продолжить", chat.answers)).toHaveCount(0);
  await expect(chat.button("Повторить", chat.answers)).toHaveCount(0);
});
