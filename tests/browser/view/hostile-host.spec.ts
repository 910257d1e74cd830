import { expect, test } from "../fixtures.ts";
import { textEvents } from "../backend.ts";

const styles = `
  * { all: unset !important }
  html { font-size: 10px }
  div, span, p, button, textarea, a, ul, li { display: inline !important; color: red !important; margin: 40px !important;
    font: 40px/3 cursive !important; text-transform: uppercase !important; letter-spacing: 1em !important }
  button { position: fixed !important; transform: rotate(7deg) !important }
  :not(:defined) { display: none }
`;

test("the page's styles do not change the widget, even with «all: unset !important»", async ({ chat, page, site }) => {
  // A running transition would make the compared colours differ.
  await page.emulateMedia({ reducedMotion: "reduce" });
  site.script.answer = () => textEvents("# Заголовок\n\nАбзац и [ссылка](https://example.com/).\n\n- пункт\n");
  const look = async () => {
    await chat.converse("Вопрос");
    await page.mouse.move(640, 300);
    return page.evaluate(() => {
      const root = document.querySelector("nitka-chat")?.shadowRoot;
      return [...(root?.querySelectorAll("button, a, textarea, p, h1, li, article") ?? [])].map((element) => {
        const { color, fontSize, fontFamily, letterSpacing, textTransform, display, marginTop, position } =
          getComputedStyle(element);
        return [
          element.tagName,
          color,
          fontSize,
          fontFamily,
          letterSpacing,
          textTransform,
          display,
          marginTop,
          position,
        ];
      });
    });
  };
  await chat.open();
  const plain = await look();
  await chat.open("/", {
    head: `<style>${styles}</style>`,
    body: `<div id="chat" style="display: block !important; height: 100vh !important"></div>`,
  });
  await chat.newThreadButton.click();
  await expect(chat.messages).toHaveCount(0);
  const hostile = await look();
  expect(plain.length).toBeGreaterThan(10);
  const roots = (rows: readonly (readonly string[])[]) => rows.filter(([tag]) => tag !== "LI");
  expect(new Set(roots(hostile).map(String))).toEqual(new Set(roots(plain).map(String)));
});

test("the widget's styles do not change the page", async ({ chat, page }) => {
  const body = `<div id="page"><h1>Заголовок</h1><p>Абзац <a href="/x">ссылка</a></p><button>кнопка</button>
    <table><tr><td>ячейка</td></tr></table><ul><li>пункт</li></ul><textarea></textarea></div><div id="chat"></div>`;
  const look = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("html, body, #page, #page *")].map((element) => {
        const style = getComputedStyle(element);
        return [...style].map((name) => `${name}: ${style.getPropertyValue(name)}`).join("; ");
      }),
    );
  await chat.goto("/", { body, script: "" });
  const before = await look();
  await chat.open("/", { body });
  await chat.converse("Вопрос");
  const after = await look();
  expect(after).toHaveLength(before.length);
  const ignored = /^(height|block-size|perspective-origin|transform-origin|width|inline-size)/;
  const strip = (text: string) => text.split("; ").filter((line) => !ignored.test(line));
  expect(after.map(strip)).toEqual(before.map(strip));
});

for (const [name, patch] of [
  [
    "extended prototypes",
    `Array.prototype.extra = function () {}; Object.prototype.extra = "чужое"; String.prototype.trim2 = () => "";`,
  ],
  [
    "old polyfills of Array.from, at and flat",
    `
    const from = Array.from; Array.from = function (list, map, self) { return from.call(Array, list, map, self) };
    Array.prototype.at = function (i) { i = Math.trunc(i) || 0; return this[i < 0 ? this.length + i : i] };
    Array.prototype.flat = function () { return this.reduce((all, one) => all.concat(one), []) };`,
  ],
  [
    "an AMD loader",
    `window.define = Object.assign(() => { throw new Error("define was called") }, { amd: {} }); window.module = { exports: {} }; window.exports = {};`,
  ],
  [
    "a monitor that wraps fetch",
    `const { fetch } = window; window.fetch = function (...args) { return fetch.apply(this, args).then((r) => r) };`,
  ],
  ["no console.warn and console.error", `console.warn = console.error = undefined;`],
] as const) {
  test(`the widget works on a page with ${name}`, async ({ chat }) => {
    await chat.open("/", { head: `<script>${patch}</script>` });
    await chat.converse("Вопрос");
    await expect(chat.questionTexts).toHaveText(["Вопрос"]);
    await chat.newThreadButton.click();
    await expect(chat.threads).toHaveCount(2);
  });
}

test("the widget works on a right-to-left page without a doctype", async ({ chat, page, site }) => {
  site.host.html = `<html dir="rtl" lang="ar"><meta charset="utf-8"><div id="chat" style="height: 700px"></div>
    <script src="/widget/nitka.js"></script><script>window.chat = Nitka.init({ target: "#chat" })</script></html>`;
  await page.goto(`${site.origin}/`);
  await expect(chat.composer).toBeVisible();
  await chat.converse("Вопрос");
  await expect(chat.questionTexts).toHaveText(["Вопрос"]);
  // The interface is Russian or English, so its direction does not depend on the page's.
  expect(await chat.composer.evaluate((field) => getComputedStyle(field).direction)).toBe("ltr");
  const left = async (part: typeof chat.root) => (await part.boundingBox())?.x ?? Number.NaN;
  expect(await left(chat.sidebar)).toBeLessThan(await left(chat.composer));
  await page.setViewportSize({ width: 600, height: 700 });
  await chat.sidebarToggle.click();
  await expect(chat.newThreadButton).toBeInViewport();
  await expect.poll(() => left(chat.sidebar)).toBe(await left(chat.root));
});

test("a page element with the highest z-index does not cover the widget's dialogs", async ({ chat, page }) => {
  await page.setViewportSize({ width: 600, height: 700 });
  await chat.open("/", {
    body: `<div style="position: fixed; inset: 0 0 auto 0; height: 40px; z-index: 2147483647; background: gold">шапка</div><div id="chat"></div>`,
    head: "<style>#chat { margin-top: 40px; height: calc(100vh - 40px) }</style>",
  });
  await chat.sidebarToggle.click();
  await expect(chat.root.getByRole("dialog")).toBeVisible();
  const top = await page.evaluate(() => document.elementFromPoint(20, 20)?.tagName.toLowerCase());
  expect(top).toBe("nitka-chat");
});

test("a conversation works when the browser's storage throws", async ({ chat, page }) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
    }
  });
  await chat.open();
  await chat.converse("Вопрос");
});

test("opening the chat writes no cookie and nothing to the page's storage", async ({ chat, page }) => {
  await chat.open();
  expect(
    await page.evaluate(() => ({
      cookie: document.cookie,
      local: Object.keys(localStorage),
      session: Object.keys(sessionStorage),
    })),
  ).toEqual({ cookie: "", local: [], session: [] });
});
