import { gate, textEvents } from "../backend.ts";
import { expect, test } from "../fixtures.ts";

test("emphasis beside Chinese, Japanese and Korean text needs no spaces, in a streamed answer and in a stored one", async ({
  chat,
}) => {
  const restOfAnswer = gate();
  chat.site.script.answer = async function* () {
    yield* textEvents("**注意：**请看**「说明」**，~~旧的：~~还有**“新");
    await restOfAnswer.opened;
    yield { type: "text-start", id: "t2" };
    yield { type: "text-delta", id: "t2", delta: "конец" };
  };
  await chat.open();
  await chat.ask("Вопрос");
  const text = chat.answerTexts;
  await expect(text.locator("strong")).toHaveText(["注意：", "「说明」", "“新"]);
  await expect(text.locator("del")).toHaveText("旧的：");
  restOfAnswer.open();
  await chat.idle();
  await expect(text.locator("strong")).toHaveText(["注意：", "「说明」"]);
  await chat.page.reload();
  await expect(text.locator("strong")).toHaveText(["注意：", "「说明」"]);
});
