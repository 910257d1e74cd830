import { done } from "./backend.ts";
import { both, coreOnBoth, expect, plain, test } from "./fixtures.ts";

test.describe("a stream", () => {
  test(
    "shows the red box and «Повторить» after an error event, and clears the running flag",
    both,
    async ({ chat, site, console }) => {
      console.allow(/./);
      site.script.answer = async function* () {
        yield { type: "text-delta", delta: "Начало" };
        throw new Error("модель устала");
      };
      await chat.open();
      await chat.ask("Вопрос");
      await chat.idle();
      await expect(chat.answers.locator(chat.failure)).not.toBeEmpty();
      await expect(chat.answerTexts).toHaveText([/Начало/]);
      site.script.answer = () => [{ type: "text-delta", delta: "Теперь хорошо" }];
      await chat.button("Повторить", chat.answers).click();
      await expect(chat.answerTexts).toHaveText([/Теперь хорошо/]);
      await expect(chat.questions).toHaveCount(1);
    },
  );

  test("ends without an error after an abort event", plain, async ({ chat }) => {
    chat.answersRaw(
      { type: "start", messageId: "a1" },
      { type: "text-delta", delta: "Начало" },
      { type: "abort" },
      done,
    );
    await chat.open();
    await chat.ask("Вопрос");
    await chat.idle();
    await expect(chat.answerTexts).toContainText(["Начало"]);
    await expect(chat.answers.locator(chat.failure)).toHaveCount(0);
  });

  test(
    "keeps the partial answer and offers «Повторить» when the connection closes before the end",
    plain,
    async ({ chat, console }) => {
      console.allow(/./);
      chat.answersRaw({ type: "start", messageId: "a1" }, { type: "text-delta", delta: "Начало" });
      await chat.open();
      await chat.ask("Вопрос");
      await chat.idle();
      await expect(chat.answerTexts).toContainText(["Начало"]);
      await expect(chat.answers.locator(chat.failure)).toBeVisible();
      chat.answersRaw(
        { type: "start", messageId: "a2" },
        { type: "text-delta", delta: "Целиком" },
        { type: "finish" },
        done,
      );
      await chat.button("Повторить", chat.answers).click();
      await expect(chat.answerTexts).toHaveText(["Целиком"]);
      await expect(chat.questions).toHaveCount(1);
    },
  );

  test("shows the red box and «Повторить» when the connection breaks", plain, async ({ chat, site, console }) => {
    console.allow(/./);
    site.script.rawAnswer = async function* () {
      yield { type: "start", messageId: "a1" };
      yield { type: "text-delta", delta: "Начало" };
      throw new Error("cut");
    };
    await chat.open();
    await chat.ask("Вопрос");
    await chat.idle();
    await expect(chat.answers.locator(chat.failure)).toBeVisible();
    await expect(chat.button("Повторить", chat.answers)).toBeVisible();
  });

  test("ends the run when its answer is empty", plain, async ({ chat }) => {
    chat.answersRaw({ type: "start", messageId: "a1" }, { type: "finish" }, done);
    await chat.open();
    await chat.ask("Вопрос");
    await chat.idle();
    await chat.ask("Ещё");
    await chat.idle();
    await expect(chat.questions).toHaveCount(2);
  });
});

test(
  "a failed stream is logged as «Upstream {status}: {body}» and clears the running flag",
  coreOnBoth,
  async ({ chat, console }) => {
    console.allow(/./);
    await chat.open();
    await chat.stub("POST", /run\/stream/, { status: 500, body: "сломано по дороге" }, 1);
    await chat.ask("Вопрос");
    await chat.idle();
    expect(console.errors.join("\n")).toContain("Upstream 500: сломано по дороге");
    await expect(chat.questionTexts).toHaveText(["Вопрос"]);
    await chat.retryButton.click();
    await expect(chat.answerTexts).toHaveText([/Ответ на «Вопрос»/]);
    await expect(chat.questions).toHaveCount(1);
  },
);
