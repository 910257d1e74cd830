import { readFile } from "node:fs/promises";
import { gate } from "./backend.ts";
import { core, expect, test } from "./fixtures.ts";
import type { Inventory } from "./inventory.ts";
import { takeStock } from "./inventory.ts";

/** The part of an inventory that `destroy` restores. Storage and history stay, because they are the visitor's. */
function withoutVisitorState({
  storage: _storage,
  history: _history,
  ...rest
}: Inventory): Omit<Inventory, "storage" | "history"> {
  return rest;
}

for (const options of [`{ target: "#chat" }`, `{}`, `{ layout: "launcher" }`]) {
  test(`destroy leaves the page as it was before init with ${options}`, core, async ({ chat, page, site }) => {
    const held = gate();
    const count = await takeStock(page);
    site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Пишу" };
      await held.opened;
    };
    await chat.goto("/", { script: "" });
    const before = await count();
    await page.evaluate(`void (window.chat = Nitka.init(${options}))`);
    if (options.includes("launcher")) await chat.button("Открыть чат").click();
    await expect(chat.composer).toBeVisible();
    await chat.ask("Вопрос");
    await expect(chat.answerTexts).toContainText(["Пишу"]);
    await chat.sidebarToggle.click();
    await page.evaluate(() => window.chat.destroy());
    await expect(chat.root).toHaveCount(0);
    const leftover = async () => {
      const { listeners, ...rest } = withoutVisitorState(await count());
      return { ...rest, listeners: listeners.filter((id) => id !== "#document selectionchange") };
    };
    await expect.poll(leftover).toEqual(withoutVisitorState(before));
    held.open();
  });
}

test("init works again on the same page after destroy", core, async ({ chat, page }) => {
  await chat.open();
  await chat.converse("Первый");
  await page.evaluate(() => {
    window.chat.destroy();
    Object.assign(window, { chat: window.Nitka.init({ target: "#chat" }) });
  });
  await expect(chat.root).toHaveCount(1);
  await expect(chat.questionTexts).toHaveText(["Первый"]);
  await chat.converse("Второй");
  await expect(chat.questionTexts).toHaveText(["Первый", "Второй"]);
});

test("a copy that ends after destroy shows nothing, throws nothing and sets no timer", core, async ({ chat, page }) => {
  const count = await takeStock(page);
  await page.addInitScript(() => {
    const written = new Promise<void>((resolve) => Object.assign(window, { endCopy: resolve }));
    Object.defineProperty(navigator.clipboard, "writeText", { value: () => written });
  });
  await chat.open();
  await chat.converse("Вопрос");
  // Tooltips load as a separate chunk and also show whether the copy worked.
  await chat.button("Копировать").last().hover();
  await expect(chat.tooltip("Копировать")).toBeVisible();
  await chat.button("Копировать").last().click();
  await page.evaluate(async () => {
    window.chat.destroy();
    (window as unknown as { endCopy: () => void }).endCopy();
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  await expect(chat.root).toHaveCount(0);
  expect((await count()).timers).toEqual([]);
});

test("a file that is saved just before destroy arrives whole, and no timer is left", core, async ({ chat, page }) => {
  const count = await takeStock(page);
  await chat.open();
  await chat.converse("Вопрос");
  await chat.button("Действия с чатом").click();
  await page.evaluate(() => {
    const click = Reflect.get(HTMLAnchorElement.prototype, "click");
    HTMLAnchorElement.prototype.click = function destroyAfter() {
      click.call(this);
      setTimeout(() => window.chat.destroy());
    };
  });
  const saved = page.waitForEvent("download");
  await chat.root.getByRole("menuitem", { name: "Скачать" }).click();
  expect(await readFile(await (await saved).path(), "utf8")).toContain("Вопрос");
  await expect(chat.root).toHaveCount(0);
  expect((await count()).timers).toEqual([]);
});

test("destroy works before the widget is ready, and a second destroy does nothing", core, async ({ chat, page }) => {
  await chat.goto("/", { script: "" });
  await page.evaluate(() => {
    const handle = window.Nitka.init({ target: "#chat" });
    handle.destroy();
    handle.destroy();
  });
  await expect(chat.root).toHaveCount(0);
  await expect(page.locator("#chat")).toBeEmpty();
  await page.waitForLoadState("networkidle");
  await expect(chat.root).toHaveCount(0);
});

test("a widget that is destroyed while its config loads does nothing afterwards", core, async ({ chat, page }) => {
  const config = gate();
  const count = await takeStock(page);
  await page.route(/\/config$/, async (route) => {
    await config.opened;
    await route.fallback();
  });
  await chat.goto("/", { script: "" });
  const before = await count();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const asked = page.waitForRequest(/\/config$/);
  await page.evaluate(() => {
    const emitted: string[] = [];
    const on = Object.fromEntries(["ready", "error", "threadchange"].map((name) => [name, () => emitted.push(name)]));
    Object.assign(window, { emitted, chat: window.Nitka.init({ target: "#chat", on }) });
  });
  await asked;
  await page.evaluate(() => window.chat.destroy());
  config.open();
  await page.waitForLoadState("networkidle");
  await expect.poll(count).toEqual(before);
  expect(requests.filter((request) => request.includes("/api/debug/"))).toEqual([]);
  expect(new URL(page.url()).pathname).toBe("/");
  expect(await page.evaluate(() => Reflect.get(window, "emitted"))).toEqual([]);
});

test(
  "options that change while the config loads leave one widget with the last options",
  core,
  async ({ chat, page }) => {
    const config = gate();
    await page.route(/\/config$/, async (route) => {
      await config.opened;
      await route.fallback();
    });
    const asked: string[] = [];
    page.on("request", (request) => request.url().endsWith("/config") && asked.push(request.url()));
    await chat.goto("/");
    await expect.poll(() => asked).toHaveLength(1);
    await page.evaluate(() => Object.assign(window.chat.element, { locale: "en" }));
    await expect.poll(() => asked).toHaveLength(2);
    config.open();
    await expect(chat.root.getByPlaceholder("Write something...")).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expect(chat.root.locator(".shell")).toHaveCount(1);
  },
);

test(
  "an element that the page moves keeps working, and an element that it removes leaves no timer",
  core,
  async ({ chat, page }) => {
    const count = await takeStock(page);
    await chat.open("/", { body: `<div id="chat"></div><div id="other" style="height: 100vh"></div>` });
    await chat.converse("Вопрос");
    await page.evaluate(() =>
      document.querySelector("#other")?.append(document.querySelector("nitka-chat") as Element),
    );
    await expect(chat.questionTexts).toHaveText(["Вопрос"]);
    await chat.converse("Ещё один");
    await page.evaluate(() => document.querySelector("nitka-chat")?.remove());
    await expect.poll(async () => (await count()).timers).toEqual([]);
  },
);
