import { gate } from "./backend.ts";
import { expect, test } from "./fixtures.ts";

/** Counts what a page has set going and not stopped: listeners, timers, requests. */
const inventory = `
  const held = { listeners: new Map(), timers: new Set(), requests: new Set() };
  const targets = [[window, "window"], [document, "document"], [document.documentElement, "html"]];
  const nameOf = (target) => (targets.find(([known]) => known === target) ?? [])[1];
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const key = (type, options) => type + (options === true || options?.capture ? " capture" : "");
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const name = nameOf(this ?? window) ?? (this instanceof MediaQueryList ? "media" : undefined);
    if (name && listener && !options?.signal?.aborted) {
      const id = name + " " + key(type, options);
      const set = held.listeners.get(id) ?? new Set();
      held.listeners.set(id, set);
      set.add(listener);
      if (options?.signal) addEventListener.call(options.signal, "abort", () => set.delete(listener));
      if (options?.once) addEventListener.call(this, type, () => set.delete(listener), options);
    }
    return addEventListener.call(this, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const name = nameOf(this ?? window) ?? (this instanceof MediaQueryList ? "media" : undefined);
    if (name) held.listeners.get(name + " " + key(type, options))?.delete(listener);
    return removeEventListener.call(this, type, listener, options);
  };
  for (const [set, clear] of [["setTimeout", "clearTimeout"], ["setInterval", "clearInterval"]]) {
    const original = { set: window[set], clear: window[clear] };
    window[set] = (run, ...rest) => {
      const id = original.set.call(window, (...args) => {
        if (set === "setTimeout") held.timers.delete(id);
        run(...args);
      }, ...rest);
      held.timers.add(id);
      return id;
    };
    window[clear] = (id) => { held.timers.delete(id); original.clear.call(window, id); };
  }
  const { fetch } = window;
  window.fetch = async (...args) => {
    const request = { url: String(args[0]?.url ?? args[0]) };
    held.requests.add(request);
    args[1]?.signal?.addEventListener("abort", () => held.requests.delete(request));
    try { return await fetch(...args); } finally { if (!/run\\/stream/.test(request.url)) held.requests.delete(request); }
  };
  Object.defineProperty(window, "inventory", { value: () => ({
    listeners: [...held.listeners].flatMap(([id, set]) => [...set].map(() => id)).toSorted(),
    timers: held.timers.size,
    requests: [...held.requests].map(({ url }) => new URL(url, location.href).pathname),
    elements: document.querySelectorAll("*").length,
    sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
    attributes: [...document.documentElement.attributes, ...document.body.attributes].map(({ name }) => name),
  }), enumerable: false });
`;

interface Inventory {
  readonly listeners: readonly string[];
  readonly timers: number;
  readonly requests: readonly string[];
  readonly elements: number;
  readonly sheets: number;
  readonly attributes: readonly string[];
}

for (const options of [`{ target: "#chat" }`, `{}`, `{ layout: "launcher" }`]) {
  test(`destroy leaves the page as it was: ${options}`, async ({ chat, page, site }) => {
    const held = gate();
    await page.addInitScript(inventory);
    site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Пишу" };
      await held.opened;
    };
    await chat.goto("/", { script: "" });
    const count = () => page.evaluate(() => (Reflect.get(window, "inventory") as () => Inventory)());
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
      const after = await count();
      return {
        ...after,
        listeners: after.listeners.filter((id) => !before.listeners.includes(id) && !id.endsWith("selectionchange")),
      };
    };
    await expect.poll(leftover).toEqual({ ...before, listeners: [] });
    held.open();
  });
}

test("after destroy the same page can start anew", async ({ chat, page }) => {
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

test("destroy before the widget is ready is as good, and twice is as once", async ({ chat, page }) => {
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

test("a widget that is destroyed while its config is on its way does nothing afterwards", async ({ chat, page }) => {
  const config = gate();
  await page.addInitScript(inventory);
  await page.route(/\/config$/, async (route) => {
    await config.opened;
    await route.fallback();
  });
  await chat.goto("/", { script: "" });
  const count = () => page.evaluate(() => (Reflect.get(window, "inventory") as () => Inventory)());
  const before = await count();
  const calls: string[] = [];
  page.on("request", (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const asked = page.waitForRequest(/\/config$/);
  await page.evaluate(() => {
    const told: string[] = [];
    const on = Object.fromEntries(["ready", "error", "threadchange"].map((name) => [name, () => told.push(name)]));
    Object.assign(window, { told, chat: window.Nitka.init({ target: "#chat", on }) });
  });
  await asked;
  await page.evaluate(() => window.chat.destroy());
  config.open();
  await page.waitForLoadState("networkidle");
  await expect.poll(count).toEqual(before);
  expect(calls.filter((call) => call.includes("/api/debug/"))).toEqual([]);
  expect(new URL(page.url()).pathname).toBe("/");
  expect(await page.evaluate(() => Reflect.get(window, "told"))).toEqual([]);
});

test("options that are set while the config is on its way leave one widget, with the last of them", async ({
  chat,
  page,
}) => {
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
});

test("an element that the page moves stays alive; one that it removes lets go of everything", async ({
  chat,
  page,
}) => {
  await page.addInitScript(inventory);
  await chat.open("/", { body: `<div id="chat"></div><div id="other" style="height: 100vh"></div>` });
  await chat.converse("Вопрос");
  await page.evaluate(() => document.querySelector("#other")?.append(document.querySelector("nitka-chat") as Element));
  await expect(chat.questionTexts).toHaveText(["Вопрос"]);
  await chat.converse("Ещё один");
  await page.evaluate(() => document.querySelector("nitka-chat")?.remove());
  await expect.poll(() => page.evaluate(() => (Reflect.get(window, "inventory") as () => Inventory)().timers)).toBe(0);
});
