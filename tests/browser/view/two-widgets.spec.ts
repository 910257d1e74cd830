import { ChatPage } from "../chat-page.ts";
import { gate } from "../backend.ts";
import { core, expect, test } from "../fixtures.ts";

const two = {
  body: `<div id="left"></div><div id="right"></div>`,
  head: `<style>body { display: flex } #left, #right { width: 50vw; height: 100vh }</style>`,
  script: `
    window.left = Nitka.init({ target: "#left", routing: "none" });
    window.right = Nitka.init({ target: "#right", routing: "none" });`,
};

test("two widgets on one page have separate conversations, and destroying one leaves the other working", async ({
  page,
  site,
}) => {
  const left = new ChatPage(page, site, page.locator("#left nitka-chat"));
  const right = new ChatPage(page, site, page.locator("#right nitka-chat"));
  const restOfAnswer = gate();
  site.script.answer = async function* ({ text }) {
    yield { type: "text-delta", delta: `Отвечаю ${text}` };
    await restOfAnswer.opened;
  };
  await left.goto("/", two);
  await expect(left.composer).toBeVisible();
  await expect(right.composer).toBeVisible();
  await right.root.evaluate((element) =>
    (element.ownerDocument.defaultView as Window & { right?: TestedHandle }).right?.newThread(),
  );
  await left.composer.fill("слева");
  await expect(right.composer).toHaveValue("");
  await left.composer.press("Enter");
  await expect(left.answerTexts).toContainText(["Отвечаю слева"]);
  await right.ask("справа");
  await expect(right.answerTexts).toContainText(["Отвечаю справа"]);
  await expect(left.questionTexts).toHaveText(["слева"]);
  restOfAnswer.open();
  await left.idle();
  await right.idle();
  await page.evaluate(() => (window as unknown as { left: TestedHandle }).left.destroy());
  await expect(page.locator("nitka-chat")).toHaveCount(1);
  await right.converse("ещё");
  await expect(right.questionTexts).toHaveText(["справа", "ещё"]);
});

test("two widgets on one page, and a second tab, make a new visitor one thread", core, async ({ page, site }) => {
  const left = new ChatPage(page, site, page.locator("#left nitka-chat"));
  const right = new ChatPage(page, site, page.locator("#right nitka-chat"));
  await page.setViewportSize({ width: 1800, height: 800 });
  const tab = await page.context().newPage();
  await tab.setViewportSize({ width: 1800, height: 800 });
  // The visitor has a cookie, which identifies them in all requests.
  await page.goto(`${site.origin}/api/projects/default/config`);
  await left.goto("/", two);
  await tab.goto(page.url());
  for (const chat of [left, right, new ChatPage(tab, site, tab.locator("#left nitka-chat"))]) {
    await expect(chat.composer).toBeVisible();
    await expect(chat.threads).toHaveCount(1);
  }
  const threads = await page.evaluate(async () => (await fetch("/api/debug/threads")).json() as Promise<unknown[]>);
  expect(threads).toHaveLength(1);
});

test("a page that includes the script twice has one working widget", async ({ page, site }) => {
  const chat = new ChatPage(page, site);
  await chat.open("/", { head: `<script src="/widget/nitka.js"></script>` });
  await chat.converse("Вопрос");
  await expect(chat.root).toHaveCount(1);
});

test("the shortcut toggles only the sidebar of the widget that has the focus", async ({ page, site }) => {
  await page.setViewportSize({ width: 1800, height: 800 });
  const left = new ChatPage(page, site, page.locator("#left nitka-chat"));
  const right = new ChatPage(page, site, page.locator("#right nitka-chat"));
  await left.goto("/", two);
  await expect(right.composer).toBeVisible();
  await left.composer.focus();
  await page.keyboard.press("Control+b");
  await expect(left.sidebar).not.toHaveAttribute("data-open");
  await expect(right.sidebar).toHaveAttribute("data-open");
});
