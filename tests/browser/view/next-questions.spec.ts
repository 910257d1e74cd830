/** The questions that an answer suggests. */
import { gate, textEvents } from "../backend.ts";
import type { ChatPage } from "../chat-page.ts";
import { expect, test } from "../fixtures.ts";

const suggestions = ["А завтра?", "А в Уфе?"].map((title) => ({ title, prompt: `${title} Расскажи.` }));
const event = { type: "data-suggestions", data: { suggestions } };

function offered(chat: ChatPage) {
  return chat.root.getByRole("list", { name: "Что спросить дальше" }).getByRole("button");
}

test("suggestions stand below the last answer, and a press asks at once and keeps what was being written", async ({
  chat,
  site,
}) => {
  const held = gate();
  site.script.answer = async function* ({ text }) {
    yield* textEvents(`Ответ на «${text}».`);
    if (text.startsWith("А завтра")) await held.opened;
    else yield event;
  };
  await chat.open();
  await chat.converse("Какая погода?");
  await expect(offered(chat)).toHaveText(["А завтра?", "А в Уфе?"]);
  await chat.composer.fill("Черновик");
  await offered(chat).first().click();
  await expect(chat.questionTexts.last()).toHaveText("А завтра? Расскажи.");
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue("Черновик");
  await expect(offered(chat)).toHaveCount(0);
  held.open();
  await chat.idle();
  await expect(offered(chat)).toHaveCount(0);
});

test("suggestions are kept in the history, and belong to their branch", async ({ chat, page, site }) => {
  let count = 0;
  site.script.answer = () => [...textEvents("Ясно."), ...((count += 1) === 1 ? [event] : [])];
  await chat.open();
  await chat.converse("Какая погода?");
  await page.reload();
  await expect(offered(chat)).toHaveCount(2);
  await chat.button("Сгенерировать заново").click();
  await expect(chat.root.getByText("2 / 2")).toBeVisible();
  await chat.idle();
  await expect(offered(chat)).toHaveCount(0);
  await chat.button("Предыдущий вариант").click();
  await expect(offered(chat)).toHaveCount(2);
});

test("invalid suggestions show nothing and break nothing", async ({ chat }) => {
  await chat.openHistory([
    { id: "q1", role: "user", content: "Вопрос" },
    { id: "a1", role: "assistant", content: "Ответ", suggestions: [null, { title: 5 }, "да"] },
  ]);
  await expect(chat.answerTexts).toHaveText("Ответ");
  await expect(offered(chat)).toHaveCount(0);
});

test("long suggestions wrap on a narrow screen, and all four are shown", async ({ chat, page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const long = ["Частнопредпринимательскоевысокопревосходительство", "Расскажи подробнее о погоде на выходных в горах"];
  await chat.openHistory([
    { id: "q1", role: "user", content: "Вопрос" },
    {
      id: "a1",
      role: "assistant",
      content: "Ответ",
      suggestions: [...long, "Раз", "Два", "Пять"].map((title) => ({ title, prompt: title })),
    },
  ]);
  await expect(offered(chat)).toHaveCount(4);
  for (const button of await offered(chat).all()) await expect(button).toBeVisible();
  const widths = await chat.root.evaluate((element) => {
    const viewport = element.shadowRoot?.querySelector(".thread-viewport");
    return [viewport?.scrollWidth, viewport?.clientWidth];
  });
  expect(widths[0]).toBe(widths[1]);
});
