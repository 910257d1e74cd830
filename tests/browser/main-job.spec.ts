import { LLMock } from "@copilotkit/aimock";
import { test as shopTest } from "./demo-shop.ts";
import { core, expect, motion, test } from "./fixtures.ts";
import { ChatPage } from "./chat-page.ts";

test.use(motion);

test(
  "the program with an OpenAI-compatible upstream answers, sets a title and keeps the thread over a restart",
  core,
  async ({ page, site, startProgram }, { outputDir }) => {
    test.slow();
    const upstream = new LLMock({ port: 0 });
    upstream.onMessage(/Сан-Франциско/, { content: "В Сан-Франциско туман." });
    upstream.onMessage(/завтра/, { content: "Завтра прояснится." });
    upstream.onMessage(/.*/s, { content: "Погода в Сан-Франциско" });
    await upstream.start();
    const env = {
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      OPENAI_API_KEY: "test",
      NITKA_MODEL: "gpt-test",
      NITKA_DATA: outputDir,
    };
    let program = await startProgram(env);
    try {
      const chat = new ChatPage(page, site);
      await page.goto(program.url);
      await expect(chat.root.getByText("Чем я могу помочь тебе?")).toBeVisible();
      await chat.button("Какая погода в Сан-Франциско?").click();
      await expect(chat.answerTexts).toContainText(["В Сан-Франциско туман."]);
      await chat.idle();
      await expect(chat.title).not.toHaveText("Новый чат");
      await chat.converse("А завтра?");
      await expect(chat.answerTexts.last()).toContainText("Завтра прояснится.");

      const asked = upstream
        .getRequests()
        .map(({ body }) => body as { messages: { role: string; content: unknown }[] });
      const last = asked.findLast(({ messages }) => JSON.stringify(messages.at(-1)).includes("А завтра?"));
      const words = (content: unknown) =>
        typeof content === "string" ? content : (content as { text?: string }[]).map(({ text = "" }) => text).join("");
      expect(
        last?.messages.filter(({ role }) => role !== "system").map(({ role, content }) => [role, words(content)]),
      ).toEqual([
        ["user", "Какая погода в Сан-Франциско?"],
        ["assistant", "В Сан-Франциско туман."],
        ["user", "А завтра?"],
      ]);

      const { pathname } = new URL(page.url());
      expect(pathname).toMatch(/^\/c\/.+/);
      await page.reload();
      await expect(chat.questionTexts).toHaveText(["Какая погода в Сан-Франциско?", "А завтра?"]);
      const { port } = new URL(program.url);
      await program.stop();
      program = await startProgram({ ...env, PORT: port });
      await page.reload();
      await expect(chat.answerTexts).toHaveText(["В Сан-Франциско туман.", "Завтра прояснится."]);
    } finally {
      await upstream.stop();
    }
  },
);

test(
  "the program without a key runs the demo, which names itself and makes a tool call",
  core,
  async ({ page, site, startProgram }, { outputDir }) => {
    test.slow();
    const program = await startProgram({ NITKA_DATA: outputDir, NITKA_DEMO_SPEED: "50" });
    const chat = new ChatPage(page, site);
    await page.goto(program.url);
    await chat.button("Какая погода в Сан-Франциско?").click();
    await expect(chat.answers.getByRole("button", { name: /^Used tool/ })).toBeVisible();
    await expect(chat.stopButton).toBeHidden();
    await expect(chat.answerTexts).toContainText([/демо/i]);
    await expect(chat.title).not.toHaveText("Новый чат");
  },
);

for (const path of ["/demo/", "/demo/launcher"]) {
  shopTest(`the widget on the demo page ${path} works`, async ({ page, site, program }) => {
    const chat = new ChatPage(page, site);
    await page.goto(new URL(path, program.url).href);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const open = chat.button("Открыть чат");
    await expect(open.or(chat.composer).first()).toBeVisible();
    if (await open.isVisible()) await open.click();
    await chat.opened();
    await chat.converse("Какая погода в Сан-Франциско?");
    await expect(chat.answers.getByRole("button", { name: /^Used tool/ })).toBeVisible();
    await page.goto("about:blank");
  });
}
