import type { Page } from "@playwright/test";
import type { ChatPage } from "./chat-page.ts";
import { png } from "./files.ts";
import { both, core, coreOnBoth, expect, plain, test } from "./fixtures.ts";
import { tokenOf } from "./visitor-token.ts";

const storedKeys = (page: Page) => page.evaluate(() => Object.keys(sessionStorage));

async function attach(chat: ChatPage, name: string): Promise<void> {
  const chooser = chat.page.waitForEvent("filechooser");
  await chat.button("Добавить вложение").click();
  await (await chooser).setFiles([png(name)]);
}

test(
  "a draft comes back in its thread after a reload, and is removed once it is sent",
  coreOnBoth,
  async ({ chat, page }) => {
    await chat.seed({ title: "Первый" }, { title: "Второй" });
    await chat.open();
    expect(await storedKeys(page)).toEqual([]);
    await chat.composer.fill("Недописанное\nво втором");
    await chat.rowLink("Первый").click();
    await expect(chat.composer).toHaveValue("");
    await chat.composer.fill("В первом");
    await expect.poll(() => storedKeys(page)).toHaveLength(2);
    await page.reload();
    await expect(chat.composer).toHaveValue("В первом");
    await chat.rowLink("Второй").click();
    await expect(chat.composer).toHaveValue("Недописанное\nво втором");
    await chat.composer.press("Enter");
    await expect(chat.questionTexts).toHaveText(["Недописанное\nво втором"]);
    await chat.idle();
    await expect.poll(() => storedKeys(page)).toHaveLength(1);
    await page.reload();
    await expect(chat.questionTexts).toHaveText(["Недописанное\nво втором"]);
    // The draft of this thread shows that drafts have been restored.
    await chat.rowLink("Первый").click();
    await expect(chat.composer).toHaveValue("В первом");
    await chat.rowLink("Второй").click();
    await expect(chat.questionTexts).toHaveText(["Недописанное\nво втором"]);
    await expect(chat.composer).toHaveValue("");
    expect(await storedKeys(page)).toHaveLength(1);
  },
);

test("an uploaded file comes back with the draft and is sent with the question", async ({ chat, page }) => {
  await chat.open();
  await attach(chat, "кот.png");
  await chat.composer.fill("Кто это?");
  await expect(chat.attachments.getByRole("progressbar")).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join())).toContain('"name":"кот.png"');
  await page.reload();
  await expect(chat.composer).toHaveValue("Кто это?");
  const picture = chat.attachments.locator(".attachment-picture");
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(8);
  await chat.composer.press("Enter");
  await expect(chat.questionTexts).toHaveText(["Кто это?"]);
  await chat.idle();
  const [question] = await chat.stored();
  expect(question?.attachments).toMatchObject([{ name: "кот.png", type: "image" }]);
});

test("a draft that comes back names a file that was not uploaded", plain, async ({ chat, page }) => {
  await chat.open();
  await attach(chat, "кот.png");
  await chat.composer.fill("Кто это?");
  await expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join())).toContain("Кто это?");
  await page.reload();
  await expect(chat.composer).toHaveValue("Кто это?");
  await expect(chat.failures).toHaveText("кот.png: Не удалось добавить файл.");
  await expect(chat.attachments).toHaveCount(0);
});

test("a visitor does not get the draft of another visitor of the same tab", core, async ({ chat, page }) => {
  const as = (visitor: string) => ({
    body: "",
    options: `{ layout: "launcher", projectId: "signed", visitorToken: "${tokenOf(visitor)}" }`,
  });
  const open = async (visitor: string) => {
    await chat.goto("/", as(visitor));
    await chat.button("Открыть чат").click();
    await expect(chat.root.locator(".empty-thread")).toBeVisible();
  };
  await open("anna");
  await chat.composer.fill("Только моё");
  await expect.poll(() => storedKeys(page)).toHaveLength(1);
  await open("boris");
  await expect(chat.composer).toHaveValue("");
  await chat.composer.fill("А это Бориса");
  // Anna's draft does not stay for Boris.
  await expect.poll(() => storedKeys(page)).toEqual([expect.stringContaining("boris")]);
  await open("anna");
  await expect(chat.composer).toHaveValue("");
});

test("drafts can be written and sent when storage throws or is full", async ({ chat, page }) => {
  for (const script of [
    `Object.defineProperty(window, "sessionStorage", { get() { throw new Error("refused") } })`,
    `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }`,
  ]) {
    await chat.open("/", { head: `<script>${script}</script>` });
    await chat.converse("Привет");
    await expect(chat.composer).toHaveValue("");
  }
  expect(await storedKeys(page)).toEqual([]);
});

test(
  "a suggestion that is asked while the server is unreachable comes back as a draft",
  both,
  async ({ chat, site, page, console }) => {
    console.allow(/./);
    await chat.open();
    // The site breaks the requests, because a request that survives its page bypasses the page's routes.
    site.setOffline(/run\/stream/);
    const suggestion = chat.root.locator(".suggestion").first();
    const prompt = (await suggestion.textContent()) ?? "";
    await suggestion.click();
    await expect(chat.questionTexts).toHaveText([prompt]);
    await expect.poll(() => storedKeys(page)).toHaveLength(1);
    await page.reload();
    await expect(chat.composer).toHaveValue(prompt);
  },
);
