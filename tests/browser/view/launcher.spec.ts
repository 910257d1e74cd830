import { gate, textEvents } from "../backend.ts";
import type { Gate } from "../backend.ts";
import type { ChatPage } from "../chat-page.ts";
import { dataUrl, png } from "../files.ts";
import { core, expect, motion, test } from "../fixtures.ts";

test.use(motion);

const launcher = { options: `{ layout: "launcher" }`, body: "<h1>Магазин</h1><p>Товары</p>" };

test("the floating button opens and closes the panel", async ({ chat, page }) => {
  await chat.goto("/shop", launcher);
  const open = chat.button("Открыть чат");
  await expect(open).toBeVisible();
  await expect(chat.composer).toBeHidden();
  const box = await open.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1280 - 100);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(800 - 100);
  await open.click();
  await expect(chat.composer).toBeVisible();
  await expect(chat.composer).toBeFocused();
  await chat.button("Закрыть чат").first().click();
  await expect(chat.composer).toBeHidden();
  await expect(chat.button("Открыть чат")).toBeFocused();
  await expect(page).toHaveURL(/\/shop$/);
});

test("a closed launcher does not load the chat, requests only the config and creates no thread", async ({
  chat,
  page,
  site,
}) => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await chat.goto("/shop", launcher);
  await expect(chat.button("Открыть чат")).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(requested.map((path) => path.replace(/-[\w-]{8}\.js$/, ".js"))).toEqual([
    "/shop",
    "/widget/nitka.js",
    "/widget/launcher.js",
    "/api/projects/default/config",
  ]);
  await page.evaluate(() => window.chat.ready);
  await page.evaluate(() => window.chat.destroy());
  await expect(chat.root).toHaveCount(0);
  expect(await (await page.request.get(`${site.origin}/api/debug/threads`)).json()).toEqual([]);
});

test("the button looks the same before and after the chat loads, in the project's colours", async ({ chat }) => {
  await chat.config({ theme: { accent: "ignored", "--nitka-accent": "rebeccapurple" } });
  await chat.goto("/shop", launcher);
  const button = chat.button("Открыть чат");
  const look = () =>
    button.evaluate((element) => {
      const style = getComputedStyle(element);
      const icon = getComputedStyle(element.querySelector("svg") as Element);
      const { x, y, width, height } = element.getBoundingClientRect();
      const { backgroundColor, color, boxShadow, borderRadius, zIndex, cursor } = style;
      const { stroke, strokeWidth, fill, inlineSize } = icon;
      return {
        x,
        y,
        width,
        height,
        backgroundColor,
        color,
        boxShadow,
        borderRadius,
        zIndex,
        cursor,
        stroke,
        strokeWidth,
        fill,
        inlineSize,
      };
    });
  const before = await look();
  await button.focus();
  await expect(chat.root.locator(".launcher-button")).toBeFocused();
  await expect.poll(look).toEqual(before);
});

test("the host's words name the button before and after the chat loads, and an unknown key is reported", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/Nitka: words has a key/);
  await chat.goto("/shop", {
    ...launcher,
    options: `{
      layout: "launcher",
      words: { "launcher.open": "Спросить", "composer.placeholder": "Что ищете?", "composer.snd": "Вперёд" },
      on: { error: (error) => (window.reportedErrors ??= []).push(error.message) },
    }`,
  });
  const open = chat.button("Спросить");
  await expect(open).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "reportedErrors") as unknown)).toBeUndefined();
  await open.focus();
  await expect(chat.root.locator(".launcher-button")).toHaveAccessibleName("Спросить");
  await open.click();
  await expect(chat.root.getByPlaceholder("Что ищете?")).toBeFocused();
  await expect(chat.sendButton).toHaveAccessibleName("Отправить");
  expect(await page.evaluate(() => Reflect.get(window, "reportedErrors") as unknown)).toEqual([
    'Nitka: words has a key that the interface does not know: "composer.snd".',
  ]);
  await page.evaluate(() => Reflect.set(window.chat.element, "words", { "launcher.open": "Позвать" }));
  await expect(chat.button("Позвать")).toBeVisible();
});

test("the first question creates a thread, and opening the panel does not", core, async ({ chat, page, site }) => {
  const threads = async () => (await (await page.request.get(`${site.origin}/api/debug/threads`)).json()) as unknown[];
  await chat.goto("/shop", launcher);
  await chat.button("Открыть чат").click();
  await expect(chat.root.locator(".empty-thread")).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(await threads()).toEqual([]);
  await chat.converse("Первый вопрос");
  expect(await threads()).toHaveLength(1);
});

test("a suggestion creates a thread for its question", async ({ chat }) => {
  await chat.goto("/shop", launcher);
  await chat.button("Открыть чат").click();
  await chat.button("Какая погода в Сан-Франциско?").click();
  await expect(chat.questionTexts).toHaveText(["Какая погода в Сан-Франциско?"]);
  await chat.idle();
});

test("closing the panel keeps the scroll position and the draft", async ({ chat, site }) => {
  site.script.answer = () => textEvents("Строка\n\n".repeat(80));
  await chat.goto("/shop", launcher);
  await chat.button("Открыть чат").click();
  await chat.converse("Вопрос");
  await chat.composer.fill("Черновик");
  const viewport = chat.root.locator(".thread-viewport");
  await viewport.evaluate((element) => element.scrollTo(0, 300));
  await chat.button("Закрыть чат").first().click();
  await expect(chat.composer).toBeHidden();
  await chat.button("Открыть чат").click();
  await expect(chat.composer).toHaveValue("Черновик");
  expect(await viewport.evaluate((element) => element.scrollTop)).toBe(300);
});

test("the page stays usable while the panel is closed and while it is open", async ({ chat, page }) => {
  await chat.goto("/", { ...launcher, body: `<button onclick="this.textContent = 'нажата'">кнопка</button>` });
  await page.getByRole("button", { name: "кнопка" }).click();
  await expect(page.getByRole("button", { name: "нажата" })).toBeVisible();
  await chat.button("Открыть чат").click();
  await expect(chat.composer).toBeVisible();
  await page.getByRole("button", { name: "нажата" }).click();
});

test("a conversation in the panel does not change the page's address and scroll position", async ({ chat, page }) => {
  await chat.goto("/shop?item=1", { ...launcher, body: "<p>Товар</p>".repeat(200) });
  await page.evaluate(() => scrollTo(0, 500));
  await chat.button("Открыть чат").click();
  await chat.converse("Вопрос");
  await expect(page).toHaveURL(/\/shop\?item=1$/);
  expect(await page.evaluate(() => scrollY)).toBe(500);
});

/** Opens the panel and asks a question. Its answer does not finish until the returned gate is opened. */
async function openDuringAnswer(chat: ChatPage): Promise<Gate> {
  const restOfAnswer = gate();
  chat.site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Пишу" };
    await restOfAnswer.opened;
  };
  await chat.goto("/", launcher);
  await chat.button("Открыть чат").click();
  await chat.ask("Вопрос");
  await expect(chat.answerTexts).toContainText(["Пишу"]);
  return restOfAnswer;
}

test("the first Escape stops the answer, and the second closes the panel", async ({ chat, page }) => {
  const restOfAnswer = await openDuringAnswer(chat);
  await page.keyboard.press("Escape");
  await chat.idle();
  await expect(chat.composer).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.composer).toBeHidden();
  restOfAnswer.open();
});

test("Escape on the stop button stops the answer and leaves the panel open", async ({ chat, page }) => {
  const restOfAnswer = await openDuringAnswer(chat);
  await chat.stopButton.focus();
  await page.keyboard.press("Escape");
  await chat.idle();
  await expect(chat.composer).toBeVisible();
  restOfAnswer.open();
});

test("Escape on a button of the editor closes only the editor", async ({ chat, page }) => {
  await chat.goto("/", launcher);
  await chat.button("Открыть чат").click();
  await chat.converse("Вопрос");
  await chat.button("Редактировать").click();
  await chat.button("Отмена").focus();
  await page.keyboard.press("Escape");
  await expect(chat.editor).toBeHidden();
  await expect(chat.button("Редактировать")).toBeFocused();
  await expect(chat.composer).toBeVisible();
});

test("the sheet has the panel's rounded corners", async ({ chat }) => {
  await chat.goto("/", launcher);
  await chat.button("Открыть чат").click();
  await chat.sidebarToggle.click();
  const radii = (part: string) =>
    chat.root.locator(part).evaluate((element) => {
      const { borderTopLeftRadius, borderBottomLeftRadius } = getComputedStyle(element);
      return [borderTopLeftRadius, borderBottomLeftRadius];
    });
  expect(await radii("dialog.sheet")).toEqual(await radii("dialog.panel"));
});

test("the handle's open and close do the same as the button", async ({ chat, page }) => {
  await chat.goto("/", launcher);
  await expect(chat.button("Открыть чат")).toBeVisible();
  await page.evaluate(() => window.chat.open());
  await expect(chat.composer).toBeVisible();
  await page.evaluate(() => window.chat.close());
  await expect(chat.composer).toBeHidden();
});

test("a run continues while the panel is closed", async ({ chat, site }) => {
  const restOfAnswer = gate();
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Начало" };
    await restOfAnswer.opened;
    yield { type: "text-delta", delta: " и конец" };
  };
  await chat.goto("/", launcher);
  await chat.button("Открыть чат").click();
  await chat.ask("Вопрос");
  await expect(chat.answerTexts).toContainText(["Начало"]);
  await chat.button("Закрыть чат").first().click();
  restOfAnswer.open();
  await chat.button("Открыть чат").click();
  await expect(chat.answerTexts).toContainText(["Начало и конец"]);
});

test("the launcher ignores Ctrl+B while the focus is on the page", async ({ chat, page }) => {
  await chat.goto("/", launcher);
  await chat.button("Открыть чат").click();
  await expect(chat.composer).toBeVisible();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("Control+b");
  await expect(chat.root.getByRole("dialog").filter({ has: page.getByText("Чаты") })).toHaveCount(0);
});

test.describe("the panel on a phone", () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true });

  test("fills the screen", async ({ chat }) => {
    await chat.goto("/", launcher);
    await chat.button("Открыть чат").tap();
    await expect(chat.composer).toBeVisible();
    await expect(chat.composer).toBeInViewport({ ratio: 1 });
    const close = chat.button("Закрыть чат").first();
    await expect(close).toBeInViewport({ ratio: 1 });
    await chat.sidebarToggle.tap();
    await expect(chat.sidebar.getByRole("heading", { name: "Чаты" })).toBeVisible();
    await chat.page.keyboard.press("Escape");
    await chat.converse("Вопрос");
  });

  test("is modal, so the page cannot take the focus until the panel closes", async ({ chat, page }) => {
    await chat.goto("/", { ...launcher, body: `<button>кнопка</button>` });
    await chat.button("Открыть чат").tap();
    await expect(chat.composer).toBeVisible();
    await page.getByRole("button", { name: "кнопка" }).evaluate((button) => button.focus());
    await expect(page.getByRole("button", { name: "кнопка" })).not.toBeFocused();
    await page.keyboard.press("Escape");
    await expect(chat.composer).toBeHidden();
    await page.getByRole("button", { name: "кнопка" }).focus();
    await expect(page.getByRole("button", { name: "кнопка" })).toBeFocused();
  });
});

test("a window that becomes small makes the panel modal, and one that becomes large the page usable", async ({
  chat,
  page,
}) => {
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  await chat.goto("/", { ...launcher, body: `<button id="page">кнопка</button>` });
  await chat.button("Открыть чат").click();
  await chat.composer.fill("Черновик");
  const panel = chat.root.locator("dialog.panel");
  const reachesPage = async () => {
    await page.locator("#page").evaluate((button) => button.focus());
    const reached = await page.locator("#page").evaluate((button) => button === document.activeElement);
    if (reached) await chat.composer.focus();
    return reached;
  };
  for (const [width, height, modal] of [
    [390, 700, true],
    [1280, 800, false],
    [1280, 400, true],
    [1280, 800, false],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(panel).toHaveAttribute("aria-modal", String(modal));
    await expect(chat.composer).toBeFocused();
    expect(await reachesPage()).toBe(!modal);
    await expect(chat.composer).toHaveValue("Черновик");
  }
});

for (const overlay of ["the sheet", "a picture"]) {
  test(`${overlay} that is open stays above a panel that becomes modal`, async ({ chat, page }) => {
    const picture = [...textEvents("Вот."), { type: "file", url: dataUrl(png()), mediaType: "image/png" }];
    await chat.seed({ title: "Разговор", turns: [["Вопрос", () => picture]] });
    await chat.goto("/", launcher);
    await chat.button("Открыть чат").click();
    await chat.opened();
    await (
      overlay === "the sheet" ? chat.sidebarToggle : chat.answers.getByRole("button", { name: /^Открыть/ })
    ).click();
    const dialog = overlay === "the sheet" ? chat.sidebar : chat.preview;
    const close = chat.button("Закрыть", dialog);
    await expect(close).toBeFocused();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      await expect(chat.root.locator("dialog.panel")).toHaveAttribute("aria-modal", String(width === 390));
      await expect(close).toBeFocused();
      // The click fails if anything lies over the button.
      await close.click({ trial: true });
    }
    await page.setViewportSize({ width: 390, height: 700 });
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(chat.composer).toBeVisible();
  });
}
