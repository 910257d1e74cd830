/** An answer is copied as markdown and, for programs that accept it, with its formatting. */
import type { Page } from "@playwright/test";
import type { ChatPage } from "../chat-page.ts";
import { expect, test } from "../fixtures.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

/** The clipboard's content. The browser itself has sanitized the HTML. */
function clipboard(page: Page): Promise<{ readonly text: string; readonly html: string | undefined }> {
  return page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    // Reading fails if the clipboard changes meanwhile. The caller then reads again.
    const read = async (type: string) =>
      item?.types.includes(type)
        ? item.getType(type).then(
            (blob) => blob.text(),
            () => undefined,
          )
        : undefined;
    return { text: (await read("text/plain")) ?? "", html: await read("text/html") };
  });
}

/** The HTML as a program that accepts it reads it: without styles. */
async function pasted(page: Page): Promise<string> {
  const { html } = await clipboard(page);
  return page.evaluate((source) => {
    const { body } = new DOMParser().parseFromString(source, "text/html");
    for (const element of body.querySelectorAll("*")) element.removeAttribute("style");
    for (const meta of body.querySelectorAll("meta")) meta.remove();
    return body.innerHTML.trim();
  }, html ?? "");
}

async function copy(chat: ChatPage, markdown: string): Promise<void> {
  await chat.page.evaluate(() => navigator.clipboard.writeText("прежнее"));
  chat.site.script.answer = () => [{ type: "text-delta", delta: markdown }];
  await chat.converse("Вопрос");
  await chat.button("Копировать", chat.answers.last()).click();
  await expect.poll(async () => (await clipboard(chat.page)).text).toBe(markdown);
}

test("an answer is copied with its elements, and without the widget's controls, classes and addresses", async ({
  chat,
  page,
}) => {
  await chat.open();
  for (const [markdown, html] of [
    [
      "# Раз\n\nТекст **жирный**, `код` и [ссылка](https://example.com/a).",
      '<h3>Раз</h3><p>Текст <strong>жирный</strong>, <code>код</code> и <a href="https://example.com/a">ссылка</a>.</p>',
    ],
    [
      "| а | б |\n| - | -: |\n| 1 | 2 |",
      "<table><thead><tr><th>а</th><th>б</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
    ],
    ["```js\nconst a = 1 < 2;\nb();\n```", "<pre><code>const a = 1 &lt; 2;\nb();</code></pre>"],
    [
      "- [x] раз\n- [ ] два\n\n3. три",
      '<ul><li><p>☑ раз</p></li><li><p>☐ два</p></li></ul><ol start="3"><li><p>три</p></li></ol>',
    ],
    ["Сноска[^1].\n\n[^1]: Текст.", "<p>Сноска<sup>1</sup>.</p><ol><li><p>Текст. </p></li></ol>"],
    ["Площадь $x^2$ круга", "<p>Площадь $x^2$ круга</p>"],
    [
      "[Каталог](/catalog) и <b>тег</b>",
      `<p><a href="${chat.site.origin}/catalog">Каталог</a> и &lt;b&gt;тег&lt;/b&gt;</p>`,
    ],
  ] as const) {
    await copy(chat, markdown);
    const found = await pasted(page);
    expect(found.replaceAll(/>\s+</g, "><")).toBe(html);
    expect(found).not.toMatch(/class=|button|svg|aria-|data-/);
  }
});

test("reasoning, a question, code by its own button and what the host shows itself are copied as text alone", async ({
  chat,
  page,
}) => {
  await chat.open("/", {
    options: `{ target: "#chat", renderers: { "code:chart": (container) => void (container.textContent = "график") } }`,
  });
  chat.site.script.answer = () => [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "Тайное **размышление**" },
    { type: "reasoning-end", id: "r" },
    { type: "text-delta", delta: "Ответ **важный**" },
  ];
  await chat.converse("Вопрос **раз**");
  await chat.answers.getByRole("button", { name: "Ход рассуждений" }).click();
  await expect(chat.answers).toContainText("Тайное размышление");
  await chat.button("Копировать", chat.answers).click();
  await expect.poll(() => pasted(page)).toBe("<p>Ответ <strong>важный</strong></p>");
  await chat.button("Копировать", chat.questions).click();
  await expect.poll(() => clipboard(page)).toEqual({ text: "Вопрос **раз**", html: undefined });

  chat.site.script.answer = () => [{ type: "text-delta", delta: "**Код**\n\n```js\na\n```" }];
  await chat.converse("Код");
  await chat.answers.last().locator(".copy-code").click();
  await expect.poll(() => clipboard(page)).toEqual({ text: "a", html: undefined });

  chat.site.script.answer = () => [{ type: "text-delta", delta: "**Вот**\n\n```chart\n1 2 3\n```" }];
  await chat.converse("График");
  await expect(page.getByText("график", { exact: true })).toBeVisible();
  await chat.button("Копировать", chat.answers.last()).click();
  await expect.poll(() => clipboard(page)).toEqual({ text: "**Вот**\n\n```chart\n1 2 3\n```", html: undefined });
});

for (const missing of ["ClipboardItem", "write"]) {
  test(`the text is copied if a browser has no ${missing}`, async ({ chat, page }) => {
    await page.addInitScript((name) => {
      if (name === "write") Object.defineProperty(Clipboard.prototype, "write", { value: undefined });
      else Reflect.deleteProperty(window, name);
    }, missing);
    await chat.open();
    await chat.converse("Вопрос");
    const [text = ""] = await chat.answerTexts.allTextContents();
    await chat.button("Копировать", chat.answers).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  });
}

test("copying fails with a message if its code cannot be loaded, and works once it can", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/Failed to load resource|after-view|dynamically imported/);
  let down = true;
  await page.route(/after-view/, (route) => (down ? route.fulfill({ status: 503, body: "" }) : route.fallback()));
  await chat.open();
  await chat.converse("Вопрос");
  const copyButton = chat.button("Копировать", chat.answers);
  const outcome = () => copyButton.getAttribute("data-outcome");
  await copyButton.click();
  await expect.poll(outcome).toBe("fail");
  await expect.poll(outcome).toBe("none");
  down = false;
  await copyButton.click();
  await expect.poll(outcome).toBe("ok");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("Ответ на");
});
