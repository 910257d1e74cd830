import { gate, textEvents } from "../backend.ts";
import { core, expect, motion, plain, test } from "../fixtures.ts";
import { announcedIn, recordAnnouncements } from "../screen-reader.ts";

test.use(motion);

test.describe("an answer", () => {
  const long = "Ошибка: ".concat("очень длинное объяснение того, что случилось на той стороне; ".repeat(20)).trim();

  test(
    "shows its error in a red box below it, clamped to two lines, with a button that unfolds it",
    core,
    async ({ chat }) => {
      await chat.openHistory([
        { id: "q1", role: "user", content: "Вопрос" },
        {
          id: "a1",
          role: "assistant",
          content: "Начало ответа",
          status: { type: "incomplete", reason: "error", error: long },
        },
      ]);
      await expect(chat.answers).toContainText(["Начало ответа"]);
      const box = chat.answers.locator(chat.failure);
      const text = box.getByText(/очень длинное объяснение/);
      await expect(text).toContainText(long);
      const lines = () =>
        text.evaluate((element) => {
          const { lineHeight, fontSize } = getComputedStyle(element);
          return Math.round(
            element.clientHeight / (Number.parseFloat(lineHeight) || Number.parseFloat(fontSize) * 1.5),
          );
        });
      expect(await lines()).toBe(2);
      await box.getByRole("button", { name: "Показать полностью" }).click();
      expect(await lines()).toBeGreaterThan(2);
      const [answer, error] = [await chat.answers.getByText("Начало ответа").boundingBox(), await box.boundingBox()];
      expect(error?.y).toBeGreaterThan(answer?.y ?? Number.POSITIVE_INFINITY);
      await expect(chat.button("Повторить", chat.answers)).toBeVisible();
    },
  );

  test("shows a short error without «Показать полностью»", async ({ chat }) => {
    await chat.openHistory([
      { id: "q1", role: "user", content: "Вопрос" },
      { id: "a1", role: "assistant", content: "", status: { type: "incomplete", reason: "error", error: "Нет связи" } },
    ]);
    await expect(chat.answers.locator(chat.failure)).toContainText("Нет связи");
    await expect(chat.button("Показать полностью")).toHaveCount(0);
  });

  test("has no red box when the visitor cancelled it", async ({ chat }) => {
    await chat.openHistory([
      { id: "q1", role: "user", content: "Вопрос" },
      { id: "a1", role: "assistant", content: "Полови", status: { type: "incomplete", reason: "cancelled" } },
    ]);
    await expect(chat.answers).toContainText(["Полови"]);
    await expect(chat.answers.locator(chat.failure)).toHaveCount(0);
  });
});

test.describe("the thread", () => {
  test("is at most 44rem wide", core, async ({ chat, page }) => {
    await page.setViewportSize({ width: 1800, height: 900 });
    await chat.seed({ title: "Разговор", turns: [["Вопрос", "Длинный ответ. ".repeat(200)]] });
    await chat.open();
    await expect.poll(async () => Math.round((await chat.answers.boundingBox())?.width ?? 0)).toBe(704);
  });

  test("opens at its end, and «Прокрутить вниз» leads back there after a scroll up", core, async ({ chat, page }) => {
    await chat.seed({
      title: "Разговор",
      turns: Array.from(
        { length: 12 },
        (_, index) => [`Вопрос ${index}`, `Ответ ${index}. ${"слово ".repeat(150)}`] as const,
      ),
    });
    await chat.open();
    await expect(chat.answers.last()).toBeInViewport();
    const down = chat.button("Прокрутить вниз");
    await expect(down).toBeHidden();
    await chat.answers.last().hover();
    await page.mouse.wheel(0, -2000);
    await expect(down).toBeVisible();
    await down.click();
    await expect(chat.answers.last().getByRole("button", { name: "Копировать" })).toBeInViewport();
    await expect(down).toBeHidden();
  });

  test("follows the answer while it is written, unless the visitor has scrolled up", async ({ chat, page, site }) => {
    const [first, second] = [gate(), gate()];
    site.script.answer = async function* () {
      yield* textEvents("начало слова ".repeat(300), "t1");
      await first.opened;
      yield* textEvents("середина слова ".repeat(300), "t2");
      await second.opened;
      yield* textEvents("конец слова ".repeat(300), "t3");
    };
    const distanceToEnd = () =>
      chat.answers.last().evaluate((element) => {
        let scroller: Element | null = element;
        while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement;
        while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement;
        // The first words of an answer do not fill the thread yet, so the poll continues until they do.
        if (!scroller) return Number.POSITIVE_INFINITY;
        return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
      });
    await chat.open();
    await chat.ask("Пиши");
    await expect(chat.answers).toContainText(["начало слова"]);
    await expect.poll(distanceToEnd).toBeLessThan(40);
    first.open();
    await expect(chat.answers).toContainText(["середина слова"]);
    await expect.poll(distanceToEnd).toBeLessThan(40);
    await chat.answers.last().hover();
    await page.mouse.wheel(0, -600);
    await expect.poll(distanceToEnd).toBeGreaterThan(300);
    second.open();
    await chat.idle();
    expect(await distanceToEnd()).toBeGreaterThan(300);
  });
});

test("a failure that is unfolded is not announced once more", plain, async ({ chat, page, console, site }) => {
  console.allow(/Upstream|Failed to load resource/);
  await recordAnnouncements(page);
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Смотрю. " };
    throw new Error(`Сломалось. ${"Подробно. ".repeat(80)}`);
  };
  await chat.open();
  await chat.converse("Вопрос");
  const fold = chat.answers.locator(chat.failure).getByRole("button", { expanded: false });
  await expect(fold).toBeVisible();
  const failures = async () => (await announcedIn(page)).filter((text) => /Не удалось|Сломалось/.test(text));
  await expect.poll(failures).toHaveLength(1);
  await expect.poll(() => announcedIn(page)).toContain("Смотрю.");
  const heard = await announcedIn(page);
  await fold.click();
  await expect(chat.button("Свернуть")).toBeVisible();
  await chat.button("Свернуть").click();
  await expect(fold).toBeVisible();
  // The announcement after it shows that nothing was announced before.
  await chat.button("Копировать", chat.questions).click();
  await expect.poll(async () => (await announcedIn(page)).slice(heard.length)).toHaveLength(1);
});

test("on a narrow screen the header cuts a model's name only where a long title needs the room", async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await chat.config({
    models: [
      { id: "scripted", name: "Быстрая" },
      { id: "other", name: "Умная" },
    ],
  });
  await chat.seed({ title: "Всё сразу", turns: [["Вопрос", "Ответ"]] });
  await chat.open();
  await expect(chat.button("Действия с чатом")).toBeVisible();
  const isCut = (part: HTMLElement) => {
    const text = document.createRange();
    text.selectNodeContents(part);
    return text.getBoundingClientRect().width > part.getBoundingClientRect().width;
  };
  const [model, title] = [chat.header.locator(".model-name"), chat.header.locator(".thread-crumb")];
  expect([await model.evaluate(isCut), await title.evaluate(isCut)]).toEqual([false, false]);
});
