import { readFile } from "node:fs/promises";
import { dataUrl, png, text } from "./files.ts";
import { core, expect, test } from "./fixtures.ts";
import { tokenOf } from "./visitor-token.ts";

const asAnna = { options: `{ target: "#chat", projectId: "signed", visitorToken: "${tokenOf("anna")}" }` };

test("a visitor with a host's token sees and downloads their files without a cookie", async ({ chat, page }) => {
  await chat.open("/", asAnna);
  const chooser = page.waitForEvent("filechooser");
  await chat.button("Добавить вложение").click();
  await (await chooser).setFiles([png("кот.png"), text("заметка.txt", "мяу")]);
  await expect(chat.attachments).toHaveCount(2);
  await chat.converse("Что здесь?");

  const picture = chat.questions.locator(".attachment-picture");
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBe(8);
  await page.reload();
  await chat.opened();
  await expect.poll(width).toBe(8);
  expect(await page.context().cookies()).toEqual([]);

  await picture.click();
  await expect(chat.preview.getByRole("img")).toBeVisible();
  await page.keyboard.press("Escape");

  const file = chat.questions.getByRole("link", { name: "заметка.txt" });
  const downloads = page.waitForEvent("download");
  await file.click();
  const download = await downloads;
  expect(download.suggestedFilename()).toBe("заметка.txt");
  expect(await readFile(await download.path(), "utf8")).toBe("мяу");

  // The address returns nothing without the token.
  expect((await page.request.get((await file.getAttribute("href")) ?? "")).status()).toBe(404);
});

test("a visitor with a host's token sees an answer's image, also after a reload", async ({ chat, page, site }) => {
  const url = dataUrl(png("х.png", 48, 20));
  site.script.answer = () => [{ type: "file", url, mediaType: "image/png" }];
  await chat.open("/", asAnna);
  await chat.ask("Нарисуй нитку");
  const picture = chat.answers.getByRole("img").first();
  const width = () => picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.src.slice(0, 5)]);
  await expect.poll(width).toEqual([48, "blob:"]);
  await page.reload();
  await chat.opened();
  await expect.poll(width).toEqual([48, "blob:"]);
});

test("a file that fails to load is marked on its tile and can be requested again", async ({ chat, page, console }) => {
  console.allow(/Failed to load resource/);
  await chat.open("/", asAnna);
  const chooser = page.waitForEvent("filechooser");
  await chat.button("Добавить вложение").click();
  await (await chooser).setFiles([text("заметка.txt", "мяу")]);
  await chat.converse("Что здесь?");
  const tile = chat.questions.locator(chat.attachmentTile);
  chat.site.setOffline(true);
  await tile.getByRole("link").click();
  await expect(tile).toHaveAttribute("data-state", "failed");
  chat.site.setOffline(false);
  const downloads = page.waitForEvent("download");
  await tile.getByRole("link").click();
  await downloads;
  await expect(tile).not.toHaveAttribute("data-state");
});

test("a question from before the login is there after it, also in another browser", async ({ chat, page, browser }) => {
  await chat.open("/", { options: `{ target: "#chat", projectId: "signed" }` });
  await chat.converse("Где мой заказ?");
  await chat.open("/", asAnna);
  await expect(chat.questionTexts).toHaveText(["Где мой заказ?"]);
  await chat.ask("А теперь?");
  await expect(chat.questionTexts).toHaveText(["Где мой заказ?", "А теперь?"]);
  await chat.idle();

  const { ChatPage } = await import("./chat-page.ts");
  const elsewhere = await browser.newContext();
  const other = new ChatPage(await elsewhere.newPage(), chat.site);
  await other.open("/", asAnna);
  await expect(other.questionTexts).toHaveText(["Где мой заказ?", "А теперь?"]);
  await elsewhere.close();

  await chat.open("/", { options: `{ target: "#chat", projectId: "signed" }` });
  await expect(chat.composer).toBeVisible();
  await expect(chat.questionTexts).toHaveCount(0);
  expect(await page.context().cookies()).toHaveLength(1);
});

test(
  "a host's function that never returns a token is reported to the host, and «Повторить» calls it again",
  core,
  async ({ chat, page, console }) => {
    console.allow(/visitorToken/);
    await page.clock.install();
    await chat.goto("/", {
      head: `<script>
      const told = [];
      const token = () => (window.isSignedIn ? "${tokenOf("anna")}" : new Promise(() => undefined));
    </script>`,
      options: `{ target: "#chat", projectId: "signed", visitorToken: token, on: { error: ({ message }) => told.push(message) } }`,
    });
    await expect(async () => {
      await page.clock.fastForward(10_000);
      await expect(chat.retryButton).toBeVisible({ timeout: 300 });
    }).toPass();
    expect(await page.evaluate("[...new Set(told)]")).toEqual(["visitorToken() hangs."]);
    await page.evaluate("window.isSignedIn = true");
    await chat.retryButton.click();
    await chat.converse("Где мой заказ?");
  },
);

test(
  "another visitor finds nothing of the previous one: not in the page, in storage, in the address or in a request",
  core,
  async ({ chat, page }) => {
    const head = `<script>
      let who = "${tokenOf("anna")}", asked = 0;
      const ask = () => (asked += 1, who);
    </script>`;
    const options = `{ target: "#chat", projectId: "signed", visitorToken: ask }`;
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    const everything = () =>
      page.evaluate(() =>
        [
          document.querySelector("nitka-chat")?.shadowRoot?.innerHTML,
          Object.entries(localStorage),
          Object.entries(sessionStorage),
          location.href,
        ].join(),
      );
    await chat.open("/", { head, options });
    await chat.converse("Секрет Анны");
    await chat.composer.fill("Секрет в черновике");
    await expect.poll(async () => (await everything()).match(/Секрет в черновике/g)?.length).toBeGreaterThan(1);
    const threadOfAnna = chat.threadId();

    await test.step("another token of the same visitor, and another function, change nothing", async () => {
      await page.evaluate("chat.element.visitorToken = () => ask()");
      await page.evaluate("chat.element.visitorId = 'a'");
      await expect.poll(() => page.evaluate("asked")).toBe(2);
      await expect(chat.questionTexts).toHaveText(["Секрет Анны"]);
      await expect(chat.composer).toHaveValue("Секрет в черновике");
    });
    await test.step("another id calls the function at once, whose token names Boris", async () => {
      sent.length = 0;
      await page.evaluate(`who = "${tokenOf("boris")}"; chat.element.visitorId = "b"`);
      await expect(chat.questionTexts).toHaveCount(0);
      await chat.opened();
      await chat.converse("Вопрос Бориса");
      await expect(chat.threads).toHaveCount(1);
      const traces = [await everything(), ...sent].filter(
        (text) => text.includes("Секрет") || text.includes(threadOfAnna),
      );
      expect(traces).toEqual([]);
    });
  },
);

test("a token that is set, or given after a 401, restarts the widget where it names another visitor", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/401/);
  await chat.open("/", asAnna);
  await chat.converse("Секрет Анны");
  await page.evaluate(`chat.element.visitorToken = "${tokenOf("boris")}"`);
  await expect(chat.questionTexts).toHaveCount(0);
  await chat.opened();
  await chat.converse("Вопрос Бориса");

  const head = `<script>let calls = 0; const ask = () => (calls++ ? "${tokenOf("boris")}" : "${tokenOf("anna")}");</script>`;
  await chat.open("/", { head, options: `{ target: "#chat", projectId: "signed", visitorToken: ask }` });
  await expect(chat.questionTexts).toHaveText(["Секрет Анны"]);
  await chat.composer.fill("Секрет, который уходит");
  const asked: string[] = [];
  page.on(
    "request",
    (request) => request.url().includes("run/stream") && asked.push(request.headers()["authorization"] ?? ""),
  );
  await chat.stub("POST", /run\/stream/, { status: 401, json: {} }, 1);
  await chat.composer.press("Enter");
  await expect(chat.questionTexts).toHaveText(["Вопрос Бориса"]);
  expect(asked).toEqual([`Bearer ${tokenOf("anna")}`]);
});
