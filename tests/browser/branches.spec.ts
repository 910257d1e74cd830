import { textEvents } from "./backend.ts";
import { both, core, coreOnBoth, expect, test } from "./fixtures.ts";

const picker = /^\s*(\d+) \/ (\d+)\s*$/;

test("a message with one branch has no picker", core, async ({ chat }) => {
  await chat.open();
  await chat.converse("Вопрос");
  await expect(chat.button("Предыдущий вариант")).toHaveCount(0);
  await expect(chat.root.getByText(picker)).toHaveCount(0);
});

test(
  "regenerating an answer shows 2 / 2, and previous and next switch between the answers",
  coreOnBoth,
  async ({ chat, site }) => {
    await chat.open();
    await chat.converse("Вопрос");
    site.script.answer = () => textEvents("Второй ответ");
    await chat.button("Сгенерировать заново").click();
    await expect(chat.answerTexts).toHaveText([/Второй ответ/]);
    await chat.idle();
    await expect(chat.answers.getByText("2 / 2")).toBeVisible();
    await expect(chat.button("Следующий вариант")).toBeDisabled();
    await chat.button("Предыдущий вариант").click();
    await expect(chat.answerTexts).toHaveText([/Ответ на «Вопрос»\./]);
    await expect(chat.answers.getByText("1 / 2")).toBeVisible();
    await expect(chat.button("Предыдущий вариант")).toBeDisabled();
    await chat.button("Следующий вариант").click();
    await expect(chat.answerTexts).toHaveText([/Второй ответ/]);
    await expect(chat.questions.getByText(picker)).toHaveCount(0);
  },
);

test("editing a question shows 2 / 2, and each branch keeps the messages that follow it", both, async ({ chat }) => {
  await chat.open();
  await chat.converse("Первый");
  await chat.converse("Второй");
  await chat.button("Редактировать", chat.questions.first()).click();
  await chat.editor.fill("Иначе");
  await chat.button("Обновить").click();
  await expect(chat.answerTexts).toHaveText([/Ответ на «Иначе»/]);
  await chat.idle();
  await expect(chat.questions).toHaveCount(1);
  await expect(chat.questions.getByText("2 / 2")).toBeVisible();
  await chat.button("Предыдущий вариант", chat.questions).click();
  await expect(chat.questions).toHaveCount(2);
  await expect(chat.answerTexts).toHaveText([/Ответ на «Первый»/, /Ответ на «Второй»/]);
  await chat.button("Следующий вариант", chat.questions.first()).click();
  await expect(chat.answerTexts).toHaveText([/Ответ на «Иначе»/]);
});

test("a new question continues the branch that is shown", both, async ({ chat, page, site }) => {
  await chat.open();
  await chat.converse("Вопрос");
  const firstAnswer = (await chat.stored()).at(-1)?.id;
  site.script.answer = () => textEvents("Второй ответ");
  await chat.button("Сгенерировать заново").click();
  await chat.idle();
  await chat.button("Предыдущий вариант").click();
  await expect(chat.answerTexts).toHaveText([/Ответ на «Вопрос»/]);
  const run = page.waitForRequest(/run\/stream/);
  await chat.ask("Дальше");
  expect((await run).postDataJSON()).toMatchObject({ messages: [{ parentId: firstAnswer }] });
  await chat.idle();
  await expect(chat.answers).toHaveCount(2);
});

test("the start event changes the answer's id and adds no branch", both, async ({ chat }) => {
  await chat.open();
  await chat.converse("Раз");
  await chat.converse("Два");
  await expect(chat.root.getByText(picker)).toHaveCount(0);
  await expect(chat.messages).toHaveCount(4);
});

test("a thread keeps its branches while another thread is shown", async ({ chat, site }) => {
  await chat.seed({ title: "Другой", turns: [["а", "б"]] });
  await chat.open();
  await chat.newThreadButton.click();
  await expect(chat.messages).toHaveCount(0);
  site.script.title = "Ветвистый";
  await chat.converse("Вопрос");
  await chat.button("Сгенерировать заново").click();
  await expect(chat.answers.getByText("2 / 2")).toBeVisible();
  await chat.idle();
  await chat.rowLink("Другой").click();
  await expect(chat.questionTexts).toHaveText(["а"]);
  await chat.page.goBack();
  await expect(chat.answers.getByText("2 / 2")).toBeVisible();
});

test("a reload keeps the tree and the branch that was shown", async ({ chat, page, site }) => {
  await chat.open();
  await chat.converse("Вопрос");
  for (const answer of ["Второй ответ", "Третий ответ"]) {
    site.script.answer = () => textEvents(answer);
    await chat.button("Сгенерировать заново").click();
    await expect(chat.answerTexts).toHaveText([new RegExp(answer)]);
    await chat.idle();
  }
  await page.reload();
  await expect(chat.answerTexts).toHaveText([/Третий ответ/]);
  await expect(chat.answers.getByText("3 / 3")).toBeVisible();
  const kept = page.waitForResponse((response) => response.request().method() === "POST");
  await chat.button("Предыдущий вариант").click();
  await expect(chat.answerTexts).toHaveText([/Второй ответ/]);
  await kept;
  await page.reload();
  await expect(chat.answers.getByText("2 / 3")).toBeVisible();
  await expect(chat.answerTexts).toHaveText([/Второй ответ/]);
});

test("a history without parentId is a single branch", async ({ chat }) => {
  await chat.seed({ title: "Разговор" });
  await chat.stub("GET", /\/messages$/, {
    json: [
      { id: "1", role: "user", content: "раз" },
      { id: "2", role: "assistant", content: "два" },
      { id: "3", role: "user", content: "три" },
      { id: "4", role: "assistant", content: "четыре" },
    ],
  });
  await chat.open();
  await expect(chat.messages).toHaveText([/раз/, /два/, /три/, /четыре/]);
  await expect(chat.root.getByText(picker)).toHaveCount(0);
});

test("a history with siblings shows the branch of its last message", async ({ chat }) => {
  await chat.seed({ title: "Разговор" });
  await chat.stub("GET", /\/messages$/, {
    json: [
      { id: "q", role: "user", content: "вопрос", parentId: null },
      { id: "b", role: "assistant", content: "второй", parentId: "q" },
      { id: "a", role: "assistant", content: "первый", parentId: "q" },
    ],
  });
  await chat.open();
  await expect(chat.messages).toHaveText([/вопрос/, /первый/]);
  await expect(chat.answers.getByText("2 / 2")).toBeVisible();
});
