/** The example ai-sdk-route: the widget on top of an AI SDK route that does not know it. */
import { getRequestListener } from "@hono/node-server";
import { createNitkaRoutes } from "@nitka/ai-sdk/routes";
import { POST as answer } from "../../examples/ai-sdk-route/app/api/chat/route.ts";
import { openSqliteThreads } from "../../examples/ai-sdk-route/sqlite-threads.ts";
import { expect, test as base } from "./fixtures.ts";
import type { Prompt } from "./scripted-language-model.ts";
import { createScriptedLanguageModel, provideModel } from "./scripted-language-model.ts";
import { startSite } from "./site.ts";

/** The site's backend is the example with a scripted model. `prompts` are the prompts that the model received. */
const test = base.extend<{ readonly prompts: readonly Prompt[] }>({
  prompts: async ({ browserName }, provide) => {
    void browserName;
    const { model, prompts } = createScriptedLanguageModel();
    const restore = provideModel("openai/gpt-5-mini", model);
    await provide(prompts);
    restore();
  },
  site: async ({ prompts }, provide) => {
    // The fixture is named so that the model exists before the site.
    void prompts;
    const handle = createNitkaRoutes(answer, { storage: openSqliteThreads(":memory:"), secret: "s".repeat(16) });
    const listen = getRequestListener(handle, { overrideGlobalObjects: false });
    const site = await startSite(() => ({
      handle: (request, response) => void listen(request, response),
      close: async () => undefined,
    }));
    await provide(site);
    await site.close();
  },
});

test("an answer of the route shows its reasoning, its tool call and its text, also after a reload", async ({
  chat,
  page,
  prompts,
}) => {
  await chat.open();
  await chat.converse("Какая погода?");
  const shown = async () => {
    await expect(chat.questionTexts).toHaveText(["Какая погода?"]);
    await expect(chat.answerTexts).toContainText(["В Омске 18°, ответ 1."]);
    await expect(chat.answers.locator("strong")).toHaveText("18°");
    await chat.answers.getByRole("button", { name: /^Used tool/ }).click();
    await expect(chat.answers.getByText('"degrees": 18')).toBeVisible();
    await chat.answers.getByRole("button", { name: /Ход рассуждений/ }).click();
    await expect(chat.answers.getByText("Спрошу погоду.")).toBeVisible();
    await expect(chat.row("Какая погода?")).toHaveCount(1);
  };
  await shown();
  await page.reload();
  await shown();

  await chat.converse("А завтра?");
  expect(prompts[1]).toEqual([
    ["user", "Какая погода?"],
    ["assistant", "Спрошу погоду. tool-call"],
    ["tool", "tool-result"],
    ["assistant", "В Омске **18°**, ответ 1."],
    ["user", "А завтра?"],
  ]);
});

test("the route gets the branch of an edited question and of an answer that is asked for again", async ({
  chat,
  prompts,
}) => {
  await chat.open();
  await chat.converse("Раз");
  await chat.converse("Два");
  await chat.questions.last().getByRole("button", { name: "Редактировать" }).click();
  await chat.editor.fill("Три");
  await chat.button("Обновить").click();
  await expect(chat.answerTexts).toContainText(["ответ 1", "ответ 3"]);
  await chat.idle();
  await chat.answers.last().getByRole("button", { name: "Сгенерировать заново" }).click();
  await expect(chat.answerTexts).toContainText(["ответ 1", "ответ 4"]);
  const questions = prompts.map((prompt) => prompt.filter(([role]) => role === "user").map(([, text]) => text));
  expect(questions).toEqual([["Раз"], ["Раз", "Два"], ["Раз", "Три"], ["Раз", "Три"]]);
});

test("another visitor sees none of the conversations, and the first one sees all of them", async ({
  chat,
  page,
  browser,
}) => {
  await chat.open();
  await chat.converse("Раз");
  const address = page.url();
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(address);
  await expect(other.getByRole("textbox")).toBeVisible();
  await expect(other.getByText("Раз", { exact: true })).toHaveCount(0);
  await context.close();
  await page.reload();
  await expect(chat.questionTexts).toHaveText(["Раз"]);
});
