import type { Message } from "@nitka/protocol";
import type { Asked, WireEvent } from "./backend.ts";
import { textEvents } from "./backend.ts";
import { dataUrl, png } from "./files.ts";
import { expect, test } from "./fixtures.ts";

const pictureUrl = dataUrl(png("х.png", 30, 20));

/** An answer with a part of every type. */
function everything({ text }: Asked): WireEvent[] {
  return [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "Сначала подумаю." },
    { type: "reasoning-end", id: "r" },
    { type: "tool-input-start", toolCallId: "c", toolName: "weather" },
    { type: "tool-input-available", toolCallId: "c", toolName: "weather", input: { city: "Москва" } },
    { type: "tool-output-available", toolCallId: "c", output: { sky: "ясно" } },
    ...textEvents(`Вот **ответ** на «${text}».`, "t"),
    { type: "source-url", sourceId: "s", url: "https://example.com/", title: "Источник" },
    { type: "file", url: pictureUrl, mediaType: "image/png", filename: "х.png" },
    { type: "file", url: "data:text/csv;base64,YQ==", mediaType: "text/csv", filename: "а.csv" },
    { type: "file", url: `data:audio/wav;base64,${btoa("RIFF")}`, mediaType: "audio/wav" },
  ];
}

test("a reload keeps the tree and the branch after every part type, two edits and three regenerations", async ({
  chat,
  page,
  site,
}) => {
  site.script.answer = everything;
  site.script.title = "Обо всём";
  await chat.open();
  await chat.converse("Первый");
  const rewrite = async (question: number, text: string) => {
    await chat.button("Редактировать", chat.questions.nth(question)).click();
    await chat.editor.fill(text);
    await chat.button("Обновить").click();
    await expect(chat.answerTexts.nth(question)).toContainText(`ответ на «${text}»`);
    await chat.idle();
  };
  await rewrite(0, "Первый, раз");
  await rewrite(0, "Первый, два");
  await chat.converse("Второй");
  let times = 0;
  site.script.answer = () => textEvents(`Заново ${(times += 1)}.`);
  for (const time of [1, 2, 3]) {
    await chat.button("Сгенерировать заново", chat.answers.last()).click();
    await expect(chat.answerTexts.last()).toContainText(`Заново ${time}.`);
    await chat.idle();
  }

  const shown = async () => ({
    texts: await chat.messages.evaluateAll((articles) =>
      articles.map((article) => (article.querySelector(".bubble, .answer")?.textContent ?? "").trim()),
    ),
    branches: await chat.root.locator(".branch-number").allInnerTexts(),
    threads: await chat.threads.count(),
  });
  const before = await shown();
  expect(before.branches).toEqual(["3 / 3", "4 / 4"]);
  expect(before.texts).toHaveLength(4);

  const tree = await chat.stored();
  expect(new Set(tree.map(({ id }) => id)).size).toBe(tree.length);
  // Three first questions with their answers, one second question with four answers.
  expect(tree).toHaveLength(3 * 2 + 1 + 4);
  expect(tree.filter(({ role }) => role === "user")).toHaveLength(4);
  expect(tree.filter(({ parentId }) => parentId === null)).toHaveLength(3);
  expect(tree.every(({ status }) => status === undefined || status.type === "complete")).toBe(true);
  const types = (message: Message | undefined) =>
    typeof message?.content === "string" ? [] : (message?.content ?? []).map(({ type }) => type);
  expect(types(tree.find(({ role }) => role === "assistant"))).toEqual([
    "reasoning",
    "tool-call",
    "text",
    "source",
    "image",
    "file",
    "audio",
  ]);

  await page.reload();
  await expect(chat.answerTexts.last()).toContainText("Заново 3.");
  await expect.poll(shown).toEqual(before);
  expect(await chat.stored()).toEqual(tree);

  // The picker still reaches every branch.
  await chat.button("Предыдущий вариант", chat.answers.last()).click();
  await expect(chat.answerTexts.last()).toContainText("Заново 2.");
  await chat.button("Предыдущий вариант", chat.questions.first()).click();
  await expect(chat.answerTexts).toHaveCount(1);
  await expect(chat.answerTexts).toContainText(["ответ на «Первый, раз»"]);
  await expect(chat.answers.getByRole("button", { name: /Ход рассуждений/ })).toBeVisible();
  await expect(chat.answers.getByRole("button", { name: /^Used tool/ })).toBeVisible();
  await expect(chat.answers.getByRole("img").first()).toBeVisible();
  await expect(chat.answers.locator("audio")).toBeVisible();
});

test("a question from a stale tab adds a branch and overwrites nothing", async ({ chat, page, context }) => {
  const { ChatPage } = await import("./chat-page.ts");
  await chat.open();
  await chat.converse("Начало");
  const stale = new ChatPage(await context.newPage(), chat.site);
  await stale.open(new URL(page.url()).pathname);
  await expect(stale.questionTexts).toHaveText(["Начало"]);
  await chat.converse("Из первого окна");
  await stale.converse("Из второго окна");
  await page.reload();
  await expect(chat.answerTexts.last()).toContainText("Из второго окна");
  await expect(chat.questions.last().getByText("2 / 2")).toBeVisible();
  await chat.button("Предыдущий вариант", chat.questions.last()).click();
  await expect(chat.answerTexts.last()).toContainText("Из первого окна");
});
