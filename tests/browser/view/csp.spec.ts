import { dataUrl, png } from "../files.ts";
import { core, expect, test } from "../fixtures.ts";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "media-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

test(
  "the widget works without a violation on a page with a strict policy and trusted types",
  core,
  async ({ chat, page, site }) => {
    Object.assign(site.host, {
      headers: { "content-security-policy": policy },
      html: `<!doctype html><html lang="ru"><meta charset="utf-8"><title>Строгая</title>
      <link rel="stylesheet" href="/host.css"><div id="chat"></div>
      <script src="/widget/nitka.js"></script><script src="/host.js"></script></html>`,
      files: {
        "/host.css": { type: "text/css", body: "body { margin: 0 } #chat { height: 100vh }" },
        "/host.js": { type: "text/javascript", body: `window.chat = Nitka.init({ target: "#chat" })` },
      },
    });
    await page.addInitScript(() => {
      const violations: string[] = [];
      document.addEventListener("securitypolicyviolation", (event) =>
        violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
      );
      Object.defineProperty(window, "violations", { value: violations });
    });
    site.script.answer = () => [
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "Размышление" },
      { type: "reasoning-end", id: "r" },
      { type: "tool-input-available", toolCallId: "c", toolName: "weather", input: { city: "Москва" } },
      { type: "tool-output-available", toolCallId: "c", output: "ясно" },
      { type: "text-start", id: "t" },
      {
        type: "text-delta",
        id: "t",
        delta:
          "# Заголовок\n\n| а | б |\n| :- | -: |\n| 1 | 2 |\n\n```js\nconst a = 1;\n```\n\n- [x] дело\n\nСноска[^1].\n\n[^1]: Текст.\n",
      },
      { type: "text-end", id: "t" },
      { type: "file", url: dataUrl(png()), mediaType: "image/png", filename: "х.png" },
    ];
    await page.goto(`${site.origin}/`);
    await expect(chat.composer).toBeVisible();
    await chat.composer.evaluate((field) => {
      const data = new DataTransfer();
      data.items.add(new File(["текст"], "заметка.txt", { type: "text/plain" }));
      field.dispatchEvent(
        new ClipboardEvent("paste", { bubbles: true, composed: true, cancelable: true, clipboardData: data }),
      );
    });
    await chat.composer.fill("строка\n".repeat(12));
    await chat.converse("Покажи всё");
    await expect(chat.answerTexts.locator("pre code [class^=token-]").first()).toBeVisible();
    await chat.answers.getByRole("button", { name: /^Used tool/ }).click();
    await chat.answers.getByRole("button", { name: /^Открыть/ }).click();
    await expect(chat.preview).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(chat.preview).toBeHidden();
    await expect(async () => {
      // The thread may still move beneath a resting pointer, which then has to enter again.
      await chat.threads.first().hover();
      await chat.button("Копировать", chat.answers).hover();
      await expect(chat.tooltip("Копировать")).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await chat.sidebarToggle.click();
    await page.setViewportSize({ width: 600, height: 700 });
    await chat.sidebarToggle.click();
    await expect(chat.root.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => Reflect.get(window, "violations"))).toEqual([]);
  },
);

test("rendering an answer sends no request to another origin", core, async ({ chat, page, site }) => {
  const otherOrigins: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(site.origin) && !/^(data|blob):/.test(request.url()))
      otherOrigins.push(request.url());
  });
  site.script.answer = () => [
    {
      type: "text-delta",
      delta:
        "![a](https://evil.example/a.png) [b](https://evil.example/b) <img src='https://evil.example/c.png'>\n\n```html\n<link href='https://evil.example/d.css'>\n```\n",
    },
    { type: "source-url", sourceId: "s", url: "https://evil.example/source", title: "Источник" },
  ];
  await chat.open();
  await chat.converse("Вопрос");
  await page.waitForLoadState("networkidle");
  expect(otherOrigins).toEqual([]);
});
