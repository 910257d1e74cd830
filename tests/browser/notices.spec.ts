/** Notices beside the launcher, the events that a page gets, and erasing a visitor. */
import type { Page } from "@playwright/test";
import { core, expect, plain, test } from "./fixtures.ts";
import type { Site } from "./site.ts";

const launcher = { options: `{ layout: "launcher" }`, body: `<main style="height: 100vh"></main>` };
const TEXT = "Мы на связи: спросите о доставке";

/** The address of the visitor's threads, and the id of the only one. */
async function onlyThread(page: Page, site: Site) {
  const api = `${site.origin}/api/debug/threads`;
  const threads = (await (await page.request.get(api)).json()) as { threadId: string }[];
  expect(threads).toHaveLength(1);
  return { api, threadId: threads[0]?.threadId };
}

test(
  "a notice appears beside the button, and a click on it opens the chat and removes it",
  core,
  async ({ chat, page }) => {
    await chat.goto("/", launcher);
    await page.evaluate((text) => window.chat.notify(text), TEXT);
    const notice = chat.root.locator(".launcher-notice");
    await expect(chat.button(TEXT)).toBeVisible();
    await expect(chat.root.locator("[aria-live]").filter({ hasText: TEXT })).toHaveCount(1);
    await expect(chat.button("Открыть чат. Есть непрочитанное сообщение").locator(".notice-mark")).toBeVisible();
    await chat.button(TEXT).click();
    await expect(chat.composer).toBeFocused();
    await expect(notice).toHaveCount(0);
    await chat.button("Закрыть чат").first().click();
    await expect(chat.root.locator(".notice-mark")).toHaveCount(0);
  },
);

test("Escape dismisses a notice, keeps the mark and focuses the button", async ({ chat, page }) => {
  await chat.goto("/", launcher);
  await page.evaluate((text) => window.chat.notify(text), TEXT);
  await chat.button(TEXT).focus();
  await page.keyboard.press("Escape");
  await expect(chat.root.locator(".launcher-notice")).toHaveCount(0);
  await expect(chat.button("Открыть чат")).toBeFocused();
  await expect(chat.root.locator(".notice-mark")).toBeVisible();
});

for (const direction of ["ltr", "rtl"]) {
  test(`a long notice stays within a page of 320 px (${direction})`, async ({ chat, page }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await chat.goto("/", { ...launcher, head: `<script>document.documentElement.dir = "${direction}"</script>` });
    // The text has more lines than the window, and a word that is longer than a line.
    const text = `${`${TEXT} `.repeat(40)}${"а".repeat(80)}`;
    await page.evaluate((long) => window.chat.notify(long), text);
    const notice = chat.root.locator(".launcher-notice");
    await expect(notice).toBeVisible();
    const box = (await notice.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const button = (await chat.button("Открыть чат").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(320);
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(568);
    const shown = notice.locator(".launcher-notice-text");
    expect(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await shown.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
    // The notice is beside the button, not over it.
    expect(box.x + box.width <= button.x || button.x + button.width <= box.x).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
}

test(
  "the page gets panel and run events through callbacks and from the element",
  core,
  async ({ chat, page, site }) => {
    await chat.goto("/", {
      body: launcher.body,
      script: `
      window.emitted = [];
      const names = ["open", "close", "runstart", "runend"];
      const on = Object.fromEntries(names.map((name) => [name, (detail) => emitted.push([name, detail])]));
      window.chat = Nitka.init({ layout: "launcher", on });
      for (const name of names) {
        document.addEventListener("nitka-" + name, ({ type, detail, target }) => {
          if (target === chat.element) emitted.push([type, detail]);
        });
      }`,
    });
    await page.evaluate(() => window.chat.open());
    await chat.converse("Вопрос");
    await page.evaluate(() => window.chat.close());
    const { api, threadId } = await onlyThread(page, site);
    const messages = (await (await page.request.get(`${api}/${threadId}/messages`)).json()) as { id: string }[];
    const [question, answer] = messages.map(({ id }) => id);
    const runend = { threadId, messageId: answer, status: { type: "complete" } };
    expect(await page.evaluate(() => Reflect.get(window, "emitted"))).toEqual([
      ["open", {}],
      ["nitka-open", {}],
      ["runstart", { threadId, messageId: question }],
      ["nitka-runstart", { threadId, messageId: question }],
      ["runend", runend],
      ["nitka-runend", runend],
      ["close", {}],
      ["nitka-close", {}],
    ]);
  },
);

test("erasing the visitor leaves an empty widget and no threads on the server", core, async ({ chat, page, site }) => {
  await chat.open();
  await chat.converse("Забудьте это");
  const before = await page.evaluate(() => window.chat.send("И это"));
  await chat.idle();
  await page.evaluate(() => window.chat.eraseVisitor());
  await expect(chat.root.locator(".empty-thread")).toBeVisible();
  await expect(chat.questionTexts).toHaveCount(0);
  const threads = (await (await page.request.get(`${site.origin}/api/debug/threads`)).json()) as {
    threadId: string;
  }[];
  expect(threads.map(({ threadId }) => threadId)).not.toContain(before.threadId);
  await chat.converse("Снова здравствуйте");
});

test("eraseVisitor rejects when the backend does not offer it", plain, async ({ chat, page }) => {
  await chat.open();
  const refused = page.evaluate(() => window.chat.eraseVisitor().catch((error: Error) => error.message));
  expect(await refused).toBe("Nitka: the backend cannot erase a visitor.");
});
