import { dataUrl, png } from "../../browser/files.ts";
import type { Scenario } from "./scenario.ts";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** A script that adds two models to the config's response. */
const MODELS = `
const { fetch } = window;
window.fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!String(input).endsWith("/config")) return response;
  const models = [{ id: "scripted", name: "Быстрая" }, { id: "other", name: "Умная" }];
  return Response.json({ ...(await response.json()), models, model: "scripted" });
};
`;

/** The launcher's panel, dialogs, menus and files, and the host page. */
export const windows: readonly Scenario[] = [
  {
    title: "opens and closes the launcher's panel by press and by key, and returns the focus to the launcher",
    async run(page) {
      await page.open("/shop", { options: `{ layout: "launcher" }`, body: "<h1>Магазин</h1>" });
      await page.click("Открыть чат");
      await page.focusIsOn("Сообщение");
      await page.converse("Вопрос");
      await page.showsTexts(".answer", "Ответ на «Вопрос».");
      await page.press("Escape");
      await page.hides("Сообщение");
      await page.focusIsOn("Открыть чат");
      await page.press("Enter");
      await page.focusIsOn("Сообщение");
      await page.click({ css: ".launcher-button", name: "Закрыть чат" });
      await page.hides("Сообщение");
      await page.focusIsOn("Открыть чат");
      await page.until(() => page.evaluate(() => location.pathname), "/shop");
    },
  },
  {
    title: "shows the sidebar of a narrow window as a dialog that keeps the focus inside and returns it when it closes",
    provedBy: [["view/keyboard.spec.ts", "keeps the focus inside and returns it when it closes"]],
    async run(page) {
      await page.resize(600, 800);
      await page.open();
      await page.converse("Вопрос");
      await page.click("Боковая панель");
      await page.shows("Новый чат");
      for (let step = 0; step < 10; step += 1) {
        await page.press("Tab");
        const outside = await page.evaluate(() => {
          const focused = document.querySelector("nitka-chat")?.shadowRoot?.activeElement;
          return focused != null && focused.closest("dialog") === null;
        });
        if (outside) throw new Error(`Tab left the dialog after ${step + 1} steps.`);
      }
      await page.press("Escape");
      await page.hides("Новый чат");
      await page.focusIsOn("Боковая панель");
    },
  },
  {
    title: "moves through the menu of models by arrows, chooses on Enter, closes on Escape, and returns the focus",
    async run(page, site) {
      site.host.files = { ...site.host.files, "/models.js": { type: "text/javascript", body: MODELS } };
      await page.open("/", { head: `<script src="/models.js"></script>` });
      await page.click({ css: "[aria-haspopup=menu]" });
      await page.focusIsOn("Быстрая");
      await page.press("ArrowDown");
      await page.focusIsOn("Умная");
      await page.press("Enter");
      await page.focusIsOn("Модель: Умная");
      await page.press("Enter");
      await page.focusIsOn("Умная");
      await page.press("Escape");
      await page.focusIsOn("Модель: Умная");
    },
  },
  {
    title: "attaches, removes and sends files, and opens an image in the preview",
    provedBy: [
      ["attachments.spec.ts", "images and files become tiles, which can be removed"],
      ["attachments.spec.ts", "opens from a sent image by the keyboard, and returns the focus to its tile"],
      ["view/focus.spec.ts", "retrying or removing an attachment moves the focus to the composer"],
    ],
    async run(page) {
      await page.open();
      await page.until(async () => (await page.findVisible({ css: ".composer-attach:enabled" })).length, 1);
      await page.evaluate(chooseFiles, [
        ["заметка.txt", "data:text/plain,текст"],
        ["картинка.png", dataUrl(png())],
      ]);
      await page.until(async () => (await page.findVisible({ css: ".attachment-tile" })).length, 2);
      await page.click("Удалить вложение");
      await page.until(async () => (await page.findVisible({ css: ".attachment-tile" })).length, 1);
      await page.focusIsOn("Сообщение");
      await page.converse("Что здесь?");
      await page.click("Открыть картинка.png");
      await page.shows("Закрыть");
      await page.press("Escape");
      await page.hides("Закрыть");
      await page.focusIsOn("Открыть картинка.png");
    },
  },
  {
    title: "causes no violation on a page with a strict policy and trusted types",
    provedBy: [
      ["view/csp.spec.ts", "the widget works without a violation on a page with a strict policy and trusted types"],
    ],
    async run(page, site) {
      site.host.headers = { "content-security-policy": policy };
      site.host.files = {
        ...site.host.files,
        "/host.js": { type: "text/javascript", body: `Nitka.init({ target: "#chat" })` },
        "/host.css": { type: "text/css", body: "body { margin: 0 } #chat { height: 100vh }" },
      };
      site.script.answer = () => [
        { type: "tool-input-available", toolCallId: "c", toolName: "weather", input: { city: "Москва" } },
        { type: "tool-output-available", toolCallId: "c", output: "ясно" },
        { type: "text-delta", delta: "# Заголовок\n\n| а | б |\n| - | - |\n| 1 | 2 |\n\n```js\nconst a = 1;\n```\n" },
        { type: "file", url: dataUrl(png()), mediaType: "image/png", filename: "х.png" },
      ];
      await page.openHtml(
        `<!doctype html><html lang="ru"><meta charset="utf-8"><title>Строгая</title><script src="/collect-errors.js"></script>
        <link rel="stylesheet" href="/host.css"><div id="chat"></div>
        <script src="/widget/nitka.js"></script><script src="/host.js"></script></html>`,
      );
      await page.converse("Покажи всё");
      await page.until(async () => (await page.findVisible({ css: "pre code [class^=token-]" })).length > 0, true);
      await page.click({ css: ".image-part" });
      await page.shows("Закрыть");
      await page.press("Escape");
      await page.hides("Закрыть");
    },
  },
  {
    title: "reports a browser that is too old to the visitor and to the host",
    allowedErrors: /needs a newer browser/,
    async run(page) {
      await page.open("/", {
        body: "",
        head: `<script>CSS.supports = () => false</script>`,
        script: `
          window.reportedErrors = [];
          document.addEventListener("nitka-error", (event) => reportedErrors.push("event: " + event.detail.message));
          const chat = Nitka.init({ locale: "en", on: { error: (error) => reportedErrors.push("on.error: " + error.message) } });
          chat.ready.catch((error) => reportedErrors.push("ready: " + error.message));
          chat.send("Привет").catch((error) => reportedErrors.push("send: " + error.message));
          window.chat = chat;`,
      });
      const message = "The chat needs a newer browser: Chrome 123, Edge 123, Firefox 128, Safari 17.5.";
      await page.until(
        () => page.evaluate(() => (Reflect.get(window, "reportedErrors") as string[]).toSorted()),
        [`event: ${message}`, `on.error: ${message}`, `ready: ${message}`, `send: ${message}`],
      );
      await page.until(
        () =>
          page.evaluate(() => {
            const { element } = window.chat;
            return [element.shadowRoot?.textContent, document.body.scrollHeight < innerHeight / 2];
          }),
        [message, true],
      );
      await page.evaluate(() => window.chat.destroy());
      await page.until(() => page.evaluate(() => document.body.querySelectorAll("nitka-chat, div").length), 0);
    },
  },
];

/** Puts files into the composer's file input, because a test cannot control the browser's own file chooser. */
function chooseFiles(files: readonly (readonly [name: string, url: string])[]): void {
  const data = new DataTransfer();
  for (const [name, url] of files) {
    const [, type = "", coding, body = ""] = /^data:([^;,]*)(;base64)?,(.*)$/.exec(url) ?? [];
    const bytes = coding ? Uint8Array.from(atob(body), (character) => character.charCodeAt(0)) : body;
    data.items.add(new File([bytes], name, { type }));
  }
  const input = document.querySelector("nitka-chat")?.shadowRoot?.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("The composer takes no files.");
  input.files = data.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}
