/** A page moves the widget's element: to another place, with and without `moveBefore`, and into another document. */
import { gate, textEvents } from "./backend.ts";
import type { ChatPage } from "./chat-page.ts";
import { expect, motion, test } from "./fixtures.ts";

test.use(motion);

const BODY = `<div id="chat" style="height: 100vh"></div><div id="other" style="height: 100vh"></div>
  <iframe style="width: 100%; height: 700px"></iframe>`;

const MOVES = {
  append: `document.querySelector("#other").append(document.querySelector("nitka-chat"))`,
  "append of its container": `document.querySelector("#other").append(document.querySelector("#chat"))`,
  moveBefore: `document.querySelector("#other").moveBefore(document.querySelector("nitka-chat"), null)`,
} as const;

const INTO_FRAME = `document.querySelector("iframe").contentDocument.body.append(document.querySelector("nitka-chat"))`;

/** Opens a thread with answers of a few screens and a draft. */
async function openLongThread(chat: ChatPage): Promise<void> {
  await chat.seed({ title: "Длинный", turns: [1, 2, 3].map((turn) => [`Вопрос ${turn}`, "слово ".repeat(900)]) });
  await chat.open("/", { body: BODY });
  await chat.composer.fill("Черновик");
}

/** Moves the element, and counts the frames in which the widget is drawn without its styles. */
function nakedFramesOf(chat: ChatPage, move: string): Promise<number> {
  return chat.page.evaluate<number>(`(async () => {
    const shell = document.querySelector("nitka-chat").shadowRoot.querySelector(".shell");
    ${move};
    let naked = 0;
    for (let frame = 0; frame < 20; frame += 1) {
      await new Promise(requestAnimationFrame);
      if (shell.checkVisibility() && getComputedStyle(shell).display !== "grid") naked += 1;
    }
    return naked;
  })()`);
}

for (const [name, move] of Object.entries(MOVES)) {
  test(`a widget that is moved by ${name} keeps its place in the thread and its draft, and makes no request`, async ({
    chat,
    page,
  }) => {
    await openLongThread(chat);
    const thread = chat.root.locator(".thread-viewport");
    const offset = () => thread.evaluate(({ scrollTop }) => Math.round(scrollTop));
    await thread.evaluate((viewport) => viewport.scrollTo(0, 333));
    await expect(chat.button("Прокрутить вниз")).toBeVisible();
    const calls: string[] = [];
    page.on("request", (request) => calls.push(new URL(request.url()).pathname));
    expect(await nakedFramesOf(chat, move)).toBe(0);
    await expect.poll(offset).toBe(333);
    await expect(chat.composer).toHaveValue("Черновик");
    expect(calls.filter((path) => path.includes("/api/"))).toEqual([]);
    await chat.button("Прокрутить вниз").click();
    const below = () =>
      thread.evaluate(({ scrollTop, scrollHeight, clientHeight }) =>
        Math.round(scrollHeight - clientHeight - scrollTop),
      );
    await expect.poll(below).toBe(0);
    await page.evaluate(move.replace("#other", "body"));
    await expect(chat.button("Прокрутить вниз")).toBeHidden();
    await expect.poll(below).toBe(0);
  });

  test(`the sheet of a widget that is moved by ${name} stays a modal dialog`, async ({ chat, page }) => {
    await page.setViewportSize({ width: 500, height: 700 });
    await openLongThread(chat);
    await chat.sidebarToggle.click();
    const sheet = chat.root.locator("dialog.sheet");
    const isModal = () => sheet.evaluate((dialog) => dialog.matches(":modal"));
    await expect.poll(isModal).toBe(true);
    // The code that follows moves loads after the view.
    await page.waitForLoadState("networkidle");
    await page.evaluate(move);
    await expect.poll(isModal).toBe(true);
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await expect(chat.composer).toHaveValue("Черновик");
  });
}

test("an answer continues in another document, with the project's theme", async ({ chat, page, site }) => {
  const held = gate();
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Начало, " };
    await held.opened;
    yield* textEvents("середина и конец.").slice(1);
  };
  await chat.config({ theme: { "--nitka-accent": "rgb(1, 2, 3)" } });
  await chat.open("/", { body: BODY });
  // The code that follows moves loads after the view.
  await page.waitForLoadState("networkidle");
  await chat.composer.fill("Вопрос");
  await chat.composer.press("Enter");
  await expect(chat.answerTexts).toContainText(["Начало,"]);
  expect(await nakedFramesOf(chat, INTO_FRAME)).toBe(0);
  const frame = page.frameLocator("iframe").locator("nitka-chat");
  const accent = () => frame.evaluate((element) => getComputedStyle(element).getPropertyValue("--nitka-accent"));
  await expect.poll(accent).toBe("rgb(1, 2, 3)");
  held.open();
  await expect(frame.locator(".answer")).toContainText("середина и конец.");
  await page.evaluate(() => document.querySelector("#chat")?.append(window.chat.element));
  await expect
    .poll(() => chat.root.evaluate((element) => getComputedStyle(element).getPropertyValue("--nitka-accent")))
    .toBe("rgb(1, 2, 3)");
  await chat.converse("Ещё один");
  await page.evaluate(() => window.chat.destroy());
  await expect(chat.root).toHaveCount(0);
});

test("a widget that the page hides and shows again keeps its place in the thread", async ({ chat, page }) => {
  await openLongThread(chat);
  const thread = chat.root.locator(".thread-viewport");
  await thread.evaluate((viewport) => viewport.scrollTo(0, 333));
  await expect(chat.button("Прокрутить вниз")).toBeVisible();
  await page.evaluate(async () => {
    const target = document.querySelector<HTMLElement>("#chat");
    for (const display of ["none", "block"]) {
      target?.style.setProperty("display", display);
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    }
  });
  await expect(chat.button("Прокрутить вниз")).toBeVisible();
  expect(await thread.evaluate(({ scrollTop }) => Math.round(scrollTop))).toBe(333);
});

test("a launcher that was never opened keeps its look in another document, and opens there", async ({ chat, page }) => {
  await chat.config({ theme: { "--nitka-accent-fill": "rgb(1, 2, 3)" } });
  await chat.goto("/", { body: BODY, options: `{ layout: "launcher" }` });
  await expect(chat.button("Открыть чат")).toBeVisible();
  await page.evaluate(INTO_FRAME);
  const button = page.frameLocator("iframe").getByRole("button", { name: "Открыть чат" });
  const look = () =>
    button.evaluate((element) => {
      const { position, backgroundColor, borderRadius } = getComputedStyle(element);
      return { position, backgroundColor, borderRadius };
    });
  await expect.poll(look).toEqual({ position: "fixed", backgroundColor: "rgb(1, 2, 3)", borderRadius: "50%" });
  await button.press("Enter");
  await expect(page.frameLocator("iframe").locator("textarea")).toBeVisible();
});

test("styles that came with their components are in another document, too", async ({ chat, page }) => {
  await chat.config({ features: { search: true } });
  await chat.open("/", { body: BODY });
  const adopted = () =>
    page.evaluate(() => {
      const frame = document.querySelector("iframe")?.contentDocument;
      const element = document.querySelector("nitka-chat") ?? frame?.querySelector("nitka-chat");
      return element?.shadowRoot?.adoptedStyleSheets.length ?? 0;
    });
  // The styles for printing load after the view.
  await expect.poll(adopted).toBeGreaterThan(1);
  const before = await adopted();
  await page.evaluate(INTO_FRAME);
  await expect.poll(adopted).toBe(before);
});

test("the button of a menu that a move has closed says that the menu is closed", async ({ chat, page }) => {
  await chat.config({
    models: [
      { id: "a", name: "Первая" },
      { id: "b", name: "Вторая" },
    ],
  });
  await chat.open("/", { body: BODY });
  // The code that follows moves loads after the view.
  await page.waitForLoadState("networkidle");
  const trigger = chat.root.getByRole("button", { name: "Первая" });
  await trigger.click();
  await expect(trigger).toHaveAttribute("aria-expanded", "true");
  await page.evaluate(MOVES.append);
  await expect(trigger).toHaveAttribute("aria-expanded", "false");
  await trigger.click();
  await expect(chat.root.getByRole("menuitemradio", { name: "Вторая" })).toBeVisible();
});
