import { core, coreOnBoth, expect, test } from "./fixtures.ts";
import type { SeedThread } from "./chat-page.ts";

const two: readonly SeedThread[] = [
  { title: "Первый", at: new Date("2026-03-01T10:00:00Z"), turns: [["вопрос один", "ответ один"]] },
  { title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["вопрос два", "ответ два"]] },
];

test("the address of a known thread makes it active", coreOnBoth, async ({ chat }) => {
  const [older] = await chat.seed(...two);
  await chat.open(`/c/${older}`);
  await expect(chat.title).toHaveText("Первый");
  await expect(chat.questionTexts).toHaveText(["вопрос один"]);
  await expect(chat.row("Первый").locator("[aria-current]")).toHaveCount(1);
  await expect.poll(() => chat.threadId()).toBe(older);
});

test(
  "/c/{activeThreadId} replaces an address without a thread and adds no history entry",
  core,
  async ({ chat, page, site }) => {
    const [, newer] = await chat.seed(...two);
    await page.goto("about:blank");
    await chat.open("/");
    await expect(page).toHaveURL(`${site.origin}/c/${newer}`);
    await page.goBack();
    await expect(page).toHaveURL("about:blank");
  },
);

test("the page's query stays in the address", async ({ chat, page, site }) => {
  const [older, newer] = await chat.seed(...two);
  await chat.open("/?from=mail");
  await expect(page).toHaveURL(`${site.origin}/c/${newer}?from=mail`);
  await chat.rowLink("Первый").click();
  await expect(page).toHaveURL(new RegExp(`^${site.origin}/c/${older}`));
});

test("the newest thread's address replaces one with an unknown id and adds no history entry", async ({
  chat,
  page,
  site,
}) => {
  const [, newer] = await chat.seed(...two);
  await page.goto("about:blank");
  await chat.open("/c/no-such-thread");
  await expect(page).toHaveURL(`${site.origin}/c/${newer}`);
  await expect(chat.title).toHaveText("Второй");
  await page.goBack();
  await expect(page).toHaveURL("about:blank");
});

test("back and forward go through the threads that were chosen", async ({ chat, page, site }) => {
  const [older, newer] = await chat.seed(...two);
  await chat.open();
  await expect(page).toHaveURL(`${site.origin}/c/${newer}`);
  await chat.rowLink("Первый").click();
  await expect(page).toHaveURL(`${site.origin}/c/${older}`);
  await chat.newThreadButton.click();
  await expect(chat.messages).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(`${site.origin}/c/${older}`);
  await expect(chat.questionTexts).toHaveText(["вопрос один"]);
  await page.goBack();
  await expect(chat.questionTexts).toHaveText(["вопрос два"]);
  await page.goForward();
  await expect(chat.questionTexts).toHaveText(["вопрос один"]);
});

test("choosing the active thread again adds no history entry", async ({ chat, page }) => {
  await chat.seed(...two);
  await chat.open();
  const length = () => page.evaluate(() => history.length);
  const before = await length();
  await chat.rowLink("Второй").click();
  await chat.rowLink("Второй").click();
  expect(await length()).toBe(before);
});

test("a reload keeps the thread of the address", async ({ chat, page }) => {
  const [older] = await chat.seed(...two);
  await chat.open();
  await chat.rowLink("Первый").click();
  await expect(chat.questionTexts).toHaveText(["вопрос один"]);
  await page.reload();
  await expect(chat.questionTexts).toHaveText(["вопрос один"]);
  await expect.poll(() => chat.threadId()).toBe(older);
});

test("an id is percent-encoded in the address", async ({ chat, page, site }) => {
  const threadId = "чат/1 #?";
  await chat.stub("GET", /\/api\/debug\/threads$/, {
    json: [{ threadId, title: "Странный", updatedAt: new Date().toISOString() }],
  });
  await chat.stub("GET", /\/messages$/, { json: [{ id: "m1", role: "user", content: "вопрос" }] });
  const asked = page.waitForRequest(/\/messages$/);
  await chat.open();
  expect((await asked).url()).toBe(`${site.origin}/api/debug/threads/${encodeURIComponent(threadId)}/messages`);
  await expect(page).toHaveURL(`${site.origin}/c/${encodeURIComponent(threadId)}`);
  await page.reload();
  await expect(chat.questionTexts).toHaveText(["вопрос"]);
});

test("basePath precedes /c/{threadId}", async ({ chat, page, site }) => {
  const [older, newer] = await chat.seed(...two);
  await chat.open("/help", { options: `{ target: "#chat", basePath: "/help" }` });
  await expect(page).toHaveURL(`${site.origin}/help/c/${newer}`);
  await chat.rowLink("Первый").click();
  await expect(page).toHaveURL(`${site.origin}/help/c/${older}`);
  await page.reload();
  await expect(chat.questionTexts).toHaveText(["вопрос один"]);
});

test("hash routing keeps the thread in the hash", async ({ chat, page, site }) => {
  const [older, newer] = await chat.seed(...two);
  await chat.open("/page", { options: `{ target: "#chat", routing: "hash" }` });
  await expect(page).toHaveURL(`${site.origin}/page#/c/${newer}`);
  await chat.rowLink("Первый").click();
  await expect(page).toHaveURL(`${site.origin}/page#/c/${older}`);
  await page.goBack();
  await expect(chat.questionTexts).toHaveText(["вопрос два"]);
  await page.goForward();
  await page.reload();
  await expect(chat.questionTexts).toHaveText(["вопрос один"]);
});

test("routing «none» leaves the address alone", async ({ chat, page, site }) => {
  await chat.seed(...two);
  await chat.open("/shop", { options: `{ target: "#chat", routing: "none" }` });
  await chat.rowLink("Первый").click();
  await expect(chat.questionTexts).toHaveText(["вопрос один"]);
  await expect(page).toHaveURL(`${site.origin}/shop`);
});

test("archiving the thread of the address replaces the address", async ({ chat }) => {
  const [older] = await chat.seed(...two);
  await chat.open(`/c/${older}`);
  await chat.row("Первый").hover();
  await chat.button("Удалить чат", chat.row("Первый")).click();
  await expect(chat.questionTexts).toHaveText(["вопрос два"]);
  await expect.poll(() => chat.threadId()).not.toBe(older);
});
