/** The visitor's rating of an answer. */
import type { Page } from "@playwright/test";
import type { ChatPage } from "../chat-page.ts";
import { gate } from "../backend.ts";
import { expect, test } from "../fixtures.ts";

const route = /\/feedback$/;

async function openRated(chat: ChatPage): Promise<void> {
  await chat.config({ features: { resume: true, cancel: true, upload: true, branch: true, feedback: true } });
  await chat.open("/", {
    head: `<script>window.rated = []</script>`,
    options: `{ target: "#chat", on: { feedback: (detail) => rated.push(detail) } }`,
  });
  await chat.converse("Вопрос");
}

function rated(page: Page): Promise<unknown> {
  return page.evaluate(() => Reflect.get(window, "rated"));
}

function controls(chat: ChatPage) {
  const [good, bad] = [chat.button("Хороший ответ"), chat.button("Плохой ответ")];
  const field = chat.root.getByRole("textbox", { name: "Что не\u00a0так?" });
  return { good, bad, field, send: chat.button("Отправить", chat.answers) };
}

test("a positive rating is sent, stays after a reload, and a second press withdraws it", async ({ chat, page }) => {
  await openRated(chat);
  const { good, bad, field } = controls(chat);
  await good.click();
  await expect(good).toHaveAttribute("aria-pressed", "true");
  await expect(field).toHaveCount(0);
  const [, answer] = await chat.stored();
  const ids = { threadId: chat.threadId(), messageId: answer?.id };
  await expect.poll(() => rated(page)).toEqual([{ ...ids, rating: "up" }]);
  await page.reload();
  await expect(good).toHaveAttribute("aria-pressed", "true");
  await expect(bad).toHaveAttribute("aria-pressed", "false");
  await good.click();
  await expect(good).toHaveAttribute("aria-pressed", "false");
  await expect.poll(() => rated(page)).toEqual([{ ...ids, rating: null }]);
  expect((await chat.stored()).at(-1)?.feedback).toBeUndefined();
});

test("on a narrow screen the whole field for the reason is in view, and the time stays beside the buttons", async ({
  chat,
  page,
  site,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  site.script.answer = ({ text }) => [{ type: "text-delta", delta: `${text}. `.repeat(60) }];
  await openRated(chat);
  await chat.converse("Ещё вопрос");
  const { bad, field, send } = controls(chat);
  const answered = chat.answers.first();
  const rating = bad.first();
  const time = answered.locator(".message-time");
  await page.reload();
  await rating.scrollIntoViewIfNeeded();
  // The buttons stand just above the composer, and what opens below them would be behind it.
  await rating.evaluate((button) => button.scrollIntoView({ block: "end" }));
  await rating.click();
  await expect(field).toBeFocused();
  await expect(send).toBeInViewport({ ratio: 1 });
  const isOnTop = (element: HTMLElement) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const root = element.getRootNode() as ShadowRoot;
    return root.elementFromPoint(left + width / 2, top + height / 2) === element;
  };
  expect([await field.evaluate(isOnTop), await send.evaluate(isOnTop)]).toEqual([true, true]);
  const topOf = async (part: typeof time) => (await part.boundingBox())?.y ?? Number.NaN;
  expect(await topOf(time)).toBeLessThan(await topOf(field));
});

test("a negative rating is sent at once, and its reason when it is written", async ({ chat, page }) => {
  await openRated(chat);
  const { bad, field, send } = controls(chat);
  await bad.click();
  await expect(field).toBeFocused();
  await expect(send).toBeDisabled();
  await expect.poll(async () => (await chat.stored()).at(-1)?.feedback).toEqual({ rating: "down" });
  await page.keyboard.type("Не та погода");
  await send.click();
  await expect(field).toHaveCount(0);
  await expect(bad).toBeFocused();
  await expect(bad).toHaveAttribute("aria-pressed", "true");
  expect((await chat.stored()).at(-1)?.feedback).toEqual({ rating: "down", reason: "Не та погода" });
  await expect.poll(() => rated(page)).toMatchObject([{ rating: "down" }, { rating: "down", reason: "Не та погода" }]);
});

test("Escape closes the field and keeps the rating, the draft and the focus", async ({ chat, page }) => {
  await openRated(chat);
  const { bad, field } = controls(chat);
  await bad.click();
  await page.keyboard.type("Не то");
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(bad).toBeFocused();
  await expect(bad).toHaveAttribute("aria-pressed", "true");
  await bad.click();
  await expect(bad).toHaveAttribute("aria-pressed", "false");
  await bad.click();
  await expect(field).toHaveValue("Не то");
});

test("a rating that is refused is withdrawn with a message", async ({ chat, console }) => {
  console.allow(/500/);
  await openRated(chat);
  await chat.stub("POST", route, { status: 500, body: "{}" }, 1);
  const { good, bad } = controls(chat);
  await good.click();
  await expect(chat.answers.locator(".feedback-failure")).toContainText("Не\u00a0удалось сохранить оценку.");
  await expect(good).toHaveAttribute("aria-pressed", "false");
  await bad.click();
  await expect(chat.answers.locator(".feedback-failure")).toHaveCount(0);
  await expect(bad).toHaveAttribute("aria-pressed", "true");
});

test("a reason that could not be sent stays in its field, and can be sent again", async ({ chat, page, console }) => {
  console.allow(/500/);
  await openRated(chat);
  const { bad, field } = controls(chat);
  await bad.click();
  await expect.poll(async () => (await chat.stored()).at(-1)?.feedback).toEqual({ rating: "down" });
  await chat.stub("POST", route, { status: 500, body: "{}" }, 1);
  await field.fill("Не то");
  await page.keyboard.press("Enter");
  await expect(chat.answers.locator(".feedback-failure")).toContainText("текст сохранён");
  await expect(field).toHaveValue("Не то");
  await expect(bad).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Enter");
  await expect(field).toHaveCount(0);
  expect((await chat.stored()).at(-1)?.feedback).toEqual({ rating: "down", reason: "Не то" });
});

test("the field takes 2,000 characters, and Shift+Enter breaks a line", async ({ chat, page }) => {
  await openRated(chat);
  const { bad, field } = controls(chat);
  await bad.click();
  await expect(field).toHaveAttribute("maxlength", "2000");
  await page.keyboard.type("раз");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("два");
  await expect(field).toHaveValue("раз\nдва");
});

test("Escape in the field leaves the launcher's panel open", async ({ chat, page }) => {
  await chat.config({ features: { resume: true, cancel: true, feedback: true } });
  await chat.goto("/", { options: `{ layout: "launcher" }` });
  await chat.button("Открыть чат").click();
  await chat.converse("Вопрос");
  const { bad, field } = controls(chat);
  await bad.click();
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(chat.composer).toBeVisible();
});

test("an answer that is being written cannot be rated, nor one of a backend without feedback", async ({
  chat,
  site,
}) => {
  const held = gate();
  await openRated(chat);
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Пишу" };
    await held.opened;
  };
  await chat.ask("Ещё");
  await expect(chat.answerTexts.last()).toContainText("Пишу");
  await expect(controls(chat).good).toHaveCount(0);
  held.open();
  await chat.idle();
  await expect(controls(chat).good).toHaveCount(2);
  await chat.config({ features: {} });
  await chat.page.reload();
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.button("Сгенерировать заново")).toHaveCount(2);
  await expect(controls(chat).good).toHaveCount(0);
});
