import { expect, test } from "./fixtures.ts";

test("code that could not be loaded is loaded by «Повторить»", async ({ chat, page, console }) => {
  console.allow(/Failed to load resource|ERR_FAILED/);
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  // Many browsers keep the failure of an address for as long as the page lives: it never comes from there.
  await page.route(/\/widget\/thread-[^/]+\.js$/, (route) => route.abort());
  await chat.goto();
  await chat.retryButton.first().click();
  await expect(chat.questionTexts).toHaveText(["Вопрос"]);
});

test("markdown that could not be loaded is told of once, and the next answer loads it for all", async ({
  chat,
  page,
  site,
  console,
}) => {
  console.allow(/Failed to load resource|ERR_FAILED|Markdown could not be loaded/);
  const turns = Array.from({ length: 20 }, (_, index) => [`Вопрос ${index}`, `Ответ **${index}**`] as const);
  await chat.seed({ title: "Разговор", turns });
  let failures = 0;
  await page.route(/\/widget\/document-view-[^/]+\.js$/, (route) => {
    failures += 1;
    return route.abort();
  });
  await chat.goto("/", {
    head: `<script>
      window.told = [];
      document.addEventListener("nitka-error", (event) => told.push(event.detail.message));
    </script>`,
  });
  await expect(chat.answerTexts.last()).toHaveText("Ответ **19**");
  const told = () => page.evaluate(() => Reflect.get(window, "told") as readonly string[]);
  await expect.poll(async () => (await told()).length).toBe(failures);
  expect(failures).toBe(1);
  await page.unroute(/\/widget\/document-view-[^/]+\.js$/);
  site.script.answer = () => [{ type: "text-delta", delta: "Ответ **новый**" }];
  await chat.ask("Ещё");
  await expect(chat.answerTexts.last().locator("strong")).toHaveText("новый");
  await expect(chat.answerTexts.first().locator("strong")).toHaveCount(1);
  expect(await told()).toHaveLength(1);
});
