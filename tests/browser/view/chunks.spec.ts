import type { Page } from "@playwright/test";
import { dataUrl, png } from "../files.ts";
import { core, expect, test } from "../fixtures.ts";

/** Collects the errors that the widget reports to the page. */
const collectErrors = `<script>
  window.reportedErrors = [];
  document.addEventListener("nitka-error", (event) => reportedErrors.push(event.detail.message));
</script>`;
const reportedErrors = (page: Page) => page.evaluate(() => Reflect.get(window, "reportedErrors") as readonly string[]);

test("«Повторить» loads a chunk that failed to load", core, async ({ chat, page, console }) => {
  console.allow(/Failed to load resource|ERR_FAILED/);
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  // The URL fails as long as the page lives, because many browsers remember the failure of a module's URL that long.
  await page.route(/\/widget\/thread-[^/]+\.js$/, (route) => route.abort());
  await chat.goto();
  await chat.retryButton.first().click();
  await expect(chat.questionTexts).toHaveText(["Вопрос"]);
});

test("a question is answered although the code of answers failed to load at first", async ({ chat, page, console }) => {
  console.allow(/Failed to load resource|ERR_FAILED/);
  await page.route(/\/widget\/thread-[^/]+\.js$/, (route) => route.abort());
  await chat.goto();
  await chat.composer.fill("Вопрос");
  await chat.composer.press("Enter");
  await expect(chat.questionTexts).toHaveText(["Вопрос"]);
  await chat.idle();
  await expect(chat.answerTexts).toHaveCount(1);
  await expect(chat.retryButton).toHaveCount(0);
});

test("the red box shows the error's own text where the texts for codes fail to load", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/Failed to load resource|ERR_FAILED/);
  await page.route(/\/widget\/next-questions-/, (route) => route.abort());
  await chat.openHistory([
    { id: "q1", role: "user", content: "Вопрос" },
    {
      id: "a1",
      role: "assistant",
      content: "",
      status: { type: "incomplete", reason: "error", error: "Робот спит", code: "silent" },
    },
  ]);
  await expect(chat.answers.locator(chat.failure)).toContainText("Робот спит");
});

test("a failure to load markdown is reported once, and the next answer loads markdown for all answers", async ({
  chat,
  page,
  site,
  console,
}) => {
  console.allow(/Failed to load resource|ERR_FAILED|Markdown could not be loaded/);
  const turns = Array.from({ length: 20 }, (_, index) => [`Вопрос ${index}`, `Ответ **${index}**`] as const);
  await chat.seed({ title: "Разговор", turns });
  let failures = 0;
  const history = page.waitForResponse(/\/messages$/);
  await page.route(/\/widget\/document-view-/, async (route) => {
    failures += 1;
    // The answers wait for it. Answers that came after the failure would request it again.
    await (await history).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    return route.abort();
  });
  await chat.goto("/", { head: collectErrors });
  await expect(chat.answerTexts.last()).toHaveText("Ответ **19**");
  await expect.poll(async () => (await reportedErrors(page)).length).toBe(failures);
  expect(failures).toBe(1);
  await page.unroute(/\/widget\/document-view-/);
  site.script.answer = () => [{ type: "text-delta", delta: "Ответ **новый**" }];
  await chat.ask("Ещё");
  await expect(chat.answerTexts.last().locator("strong")).toHaveText("новый");
  await expect(chat.answerTexts.first().locator("strong")).toHaveCount(1);
  expect(await reportedErrors(page)).toHaveLength(1);
});

test("a history is shown once it can be read as markdown, and not as its source before", async ({ chat, page }) => {
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ **важный**"]] });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/widget\/document-view-[^/]+\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  const viewOfMessages = page.waitForResponse(/\/widget\/thread-[^/]+\.js$/);
  await chat.goto();
  await (await viewOfMessages).finished();
  await expect(page.getByText("Загружаю историю…")).toBeVisible();
  await expect(chat.questionTexts).toHaveCount(0);
  release();
  await expect(chat.answerTexts.locator("strong")).toHaveText("важный");
});

test("a question is shown although the parser of markdown has not loaded", async ({ chat, page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/widget\/document-view-[^/]+\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await chat.goto();
  await chat.ask("Вопрос");
  await expect(chat.questionTexts).toHaveText(["Вопрос"]);
  release();
  await chat.idle();
  await expect(chat.questionTexts).toHaveText(["Вопрос"]);
});

test("code whose language fails to load can be read, and the next code of that language is coloured", async ({
  chat,
  page,
  site,
  console,
}) => {
  console.allow(/Failed to load resource|ERR_FAILED/);
  const grammars: string[] = [];
  page.on("request", (request) => {
    const name = /\/widget\/(python|typescript|xml|sql)-[^/]+\.js/.exec(request.url())?.[1];
    if (name !== undefined) grammars.push(name);
  });
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/widget/python-"));
  await page.route(/\/widget\/python-[^/]+\.js$/, (route) => route.abort());
  site.script.answer = () => [{ type: "text-delta", delta: "```python\nimport os\n```\n" }];
  await chat.goto();
  await chat.converse("Код");
  await failed;
  const keywords = chat.answerTexts.locator(".token-keyword");
  await expect(chat.answerTexts.locator("code")).toHaveText("import os");
  await expect(keywords).toHaveCount(0);
  await chat.converse("Ещё код");
  await expect(keywords).toHaveText(["import"]);
  expect(grammars).toEqual(["python", "python"]);
});

test("the page's next init loads an app that failed to load, and the app's chunks", async ({ chat, page, console }) => {
  console.allow(/Failed to (load resource|fetch dynamically)|ERR_FAILED/);
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ **важный**"]] });
  await page.route(/\/widget\/app-[^/]+\.js$/, (route) => route.abort());
  await chat.goto("/", { head: collectErrors });
  await expect.poll(() => reportedErrors(page)).toHaveLength(1);
  await page.evaluate(() => {
    document.querySelector("nitka-chat")?.remove();
    Reflect.get(window, "Nitka").init({ target: "#chat" });
  });
  await expect(chat.answerTexts.locator("strong")).toHaveText("важный");
  await chat.converse("Ещё");
  expect(await reportedErrors(page)).toHaveLength(1);
});

test("the launcher stays when the chat fails to load, and the next press opens the chat", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/Failed to (load resource|fetch dynamically)|ERR_FAILED/);
  await page.route(/\/widget\/app-[^/]+\.js$/, (route) => route.abort());
  await chat.goto("/", { head: collectErrors, body: "", options: `{ layout: "launcher" }` });
  await chat.button("Открыть чат").click();
  await expect.poll(() => reportedErrors(page)).toHaveLength(1);
  await chat.button("Открыть чат").click();
  await expect(chat.composer).toBeVisible();
  expect(await reportedErrors(page)).toHaveLength(1);
});

test("the page's next init loads a launcher that failed to load", async ({ chat, page, console }) => {
  console.allow(/Failed to (load resource|fetch dynamically)|ERR_FAILED/);
  await page.route(/\/widget\/launcher-[^/]+\.js$/, (route) => route.abort());
  await chat.goto("/", { head: collectErrors, body: "", options: `{ layout: "launcher" }` });
  await expect.poll(() => reportedErrors(page)).toHaveLength(1);
  await page.evaluate(() => {
    document.querySelector("nitka-chat")?.remove();
    Reflect.get(window, "Nitka").init({ layout: "launcher" });
  });
  await expect(chat.button("Открыть чат")).toBeVisible();
  expect(await reportedErrors(page)).toHaveLength(1);
});

test.describe("each chunk fails once", () => {
  const file = { name: "заметка.txt", mimeType: "text/plain", buffer: Buffer.from("заметка") };
  for (const how of [503, "break"] as const) {
    test(`(${how}), and each of its places has it in the end, as one module`, async ({ chat, page, site, console }) => {
      console.allow(/Failed to (load resource|fetch dynamically)|ERR_|Markdown could not be loaded/);
      site.script.answer = () => [
        { type: "text-delta", delta: "Вот **снимок**\n\n```js\nconst a = 1;\n```\n\n$$x^2$$\n" },
        { type: "file", url: dataUrl(png()), mediaType: "image/png", filename: "х.png" },
        { type: "source-url", sourceId: "s1", url: "https://shop.example/size", title: "Размеры" },
      ];
      await chat.seed({ title: "Разговор", turns: [["Что здесь?", site.script.answer]] });
      site.files.how = how;
      site.files.fail = /\/widget\/(?!app-|launcher-)[\w-]+-[\w-]{8}\.js$/;
      await chat.goto();
      const retryUntil = (done: () => Promise<void>) =>
        expect(async () => {
          if (await chat.retryButton.first().isVisible()) await chat.retryButton.first().click();
          await done();
          await expect(chat.retryButton).toHaveCount(0, { timeout: 300 });
        }).toPass();
      const count = (selector: string, number: number) =>
        expect(chat.root.locator(selector)).toHaveCount(number, { timeout: 300 });
      await expect(chat.retryButton).toBeVisible();
      await retryUntil(() => count(".image-part, .sources", 2));
      // The first file comes back with an error and is chosen again.
      await page.setInputFiles("nitka-chat input[type=file]", file);
      await expect(chat.root.locator(".composer-failure")).toBeVisible();
      await page.setInputFiles("nitka-chat input[type=file]", file);
      await retryUntil(() => count(".composer .attachment-tile", 1));
      await chat.converse("И здесь?");
      await count(".image-part, .sources, .questions .attachment-tile", 4);
      // The highlighter and its language fail one after the other, each when a block of code is shown.
      await expect(async () => {
        await chat.converse("А здесь?");
        await expect(chat.answerTexts.last().locator(".token-keyword")).toHaveText("const", { timeout: 1_000 });
      }).toPass();
      expect(new Set(await chat.answerTexts.locator("strong").allTextContents())).toEqual(new Set(["снимок"]));
      const modules = [...new Set(site.files.served)].filter((address) => address.includes(".js"));
      const names = modules.map((address) => address.split("?", 1)[0]);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    });
  }
});

for (const how of [503, "break"] as const) {
  for (const [name, file, layout] of [
    ["app", /\/widget\/app-[^/]+\.js$/, "inline"],
    ["thread", /\/widget\/thread-[^/]+\.js$/, "inline"],
    ["main.css", /\/widget\/main\.css$/, "inline"],
    // The button and the panel that it opens.
    ["launcher", /\/widget\/launcher-[^/]+\.js$/, "launcher"],
  ] as const) {
    test(`a widget whose file fails once (${how}, ${name}) reports that at most once, and can be used`, async ({
      chat,
      page,
      site,
      console,
    }) => {
      console.allow(/Failed to (load resource|fetch dynamically)|ERR_/);
      site.files.how = how;
      site.files.fail = file;
      const body = layout === "launcher" ? { body: "", options: `{ layout: "launcher" }` } : {};
      await chat.goto("/", { head: collectErrors, ...body });
      // The visitor presses again if the panel does not open.
      await expect(async () => {
        if (layout === "launcher") await chat.button("Открыть чат").click({ timeout: 500 });
        await expect(chat.composer).toBeVisible({ timeout: 500 });
      }).toPass();
      await chat.converse("Вопрос");
      const errors = await reportedErrors(page);
      expect(errors).toEqual([...new Set(errors)]);
      await page.evaluate(() => Reflect.get(document.querySelector("nitka-chat") as Element, "handle").ready);
    });
  }
}

for (const how of [503, "break"] as const) {
  test(`stylesheets that fail once (${how}) load automatically, and the chat is usable meanwhile`, async ({
    chat,
    site,
    console,
  }) => {
    console.allow(/Failed to load resource|ERR_/);
    site.files.how = how;
    site.files.fail = /\/widget\/[\w-]+\.css$/;
    await chat.goto();
    await expect(chat.composer).toBeVisible();
    await chat.converse("Вопрос **да**");
    await expect.poll(() => new Set(site.files.served.filter((address) => address.includes(".css"))).size).toBe(4);
    await expect(chat.composer).toBeVisible();
    await expect(chat.composer).toHaveCSS("resize", "none");
  });
}
