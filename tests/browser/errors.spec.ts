import { ModelError } from "@nitka/server";
import { gate } from "./backend.ts";
import { both, core, expect, plain, test } from "./fixtures.ts";

test("a thread list that fails to load keeps the draft, and «Повторить» loads it", async ({ chat, console }) => {
  console.allow(/Failed to load resource/);
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  await chat.stub("GET", /\/api\/debug\/threads$/, { status: 500, body: "сломано" }, 1);
  await chat.goto();
  const retry = chat.retryButton.first();
  await expect(retry).toBeVisible();
  await chat.composer.fill("Уже пишу");
  await retry.click();
  await expect(chat.row("Разговор")).toHaveCount(1);
  await expect(chat.questionTexts).toHaveText(["Вопрос"]);
  await expect(chat.composer).toHaveValue("Уже пишу");
});

test("the details of a failed request are «HTTP {status} {statusText}: {body}»", core, async ({ chat, console }) => {
  console.allow(/Failed to load resource/);
  await chat.stub("GET", /\/api\/debug\/threads$/, { status: 503, body: "подождите" }, 1);
  await chat.goto();
  const note = chat.failures.first();
  await expect(note).toBeVisible();
  await note.getByRole("button", { name: "Подробности" }).click();
  await expect(note).toContainText("HTTP 503 Service Unavailable: подождите");
});

test("a failure is described in plain words, without its HTTP status", async ({ chat, console }) => {
  console.allow(/Failed to load resource/);
  await chat.stub("GET", /\/api\/debug\/threads$/, { status: 503, body: "upstream connect error" }, 1);
  await chat.goto();
  const note = chat.failures.first();
  await expect(note).toBeVisible();
  await expect(note).not.toContainText(/503|HTTP|upstream/);
});

test(
  "a rejected question stays in the thread with its text, and «Повторить» sends it once",
  both,
  async ({ chat, console }) => {
    console.allow(/./);
    await chat.open();
    await chat.stub(
      "POST",
      /run\/stream/,
      {
        status: 429,
        headers: { "retry-after": "1" },
        json: { error: { code: "rate_limited", message: "Слишком часто" } },
      },
      2,
    );
    await chat.ask("Осторожный вопрос");
    const retry = chat.retryButton;
    await expect(retry).toBeVisible();
    await expect(chat.root.getByText("Осторожный вопрос")).toBeVisible();
    await retry.click();
    await expect(retry).toBeVisible();
    await retry.click();
    await expect(chat.answerTexts).toHaveText([/Ответ на «Осторожный вопрос»/]);
    await expect(chat.questions).toHaveCount(1);
    await chat.page.reload();
    await expect(chat.questionTexts).toHaveText(["Осторожный вопрос"]);
  },
);

test("a retry sends the failed question with the same id", both, async ({ chat, console, page }) => {
  console.allow(/./);
  const ids: string[] = [];
  page.on("request", (request) => {
    if (!request.url().includes("run/stream")) return;
    ids.push((request.postDataJSON() as { messages: [{ id: string }] }).messages[0].id);
  });
  await chat.open();
  await chat.stub("POST", /run\/stream/, "network error", 1);
  await chat.ask("Вопрос");
  await chat.recover(/Ответ на «Вопрос»/);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test("the visitor can ask the next question after a failed answer", both, async ({ chat, site, console }) => {
  console.allow(/./);
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Начал" };
    throw new Error("упало");
  };
  await chat.open();
  await chat.ask("Первый");
  await chat.idle();
  await expect(chat.answers.locator(chat.failure)).toBeVisible();
  site.script.answer = ({ text }) => [{ type: "text-delta", delta: `Второй ответ на ${text}` }];
  await chat.converse("Второй");
  await expect(chat.answerTexts.last()).toHaveText(/Второй ответ на Второй/);
});

test("a failed answer keeps its text and its failure after a reload", async ({ chat, site, console, page }) => {
  console.allow(/./);
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Начал и не закончил" };
    throw new Error("упало");
  };
  await chat.open();
  await chat.ask("Первый");
  await chat.idle();
  await expect(chat.answers.locator(chat.failure)).toContainText(/./);
  const words = (await chat.answers.locator(chat.failure).textContent()) ?? "";
  await page.reload();
  await expect(chat.answerTexts).toHaveText([/Начал и не закончил/]);
  await expect(chat.answers.locator(chat.failure)).toHaveText(words);
  await expect(chat.button("Повторить", chat.answers)).toBeVisible();
});

test("the red box shows the error's own text", plain, async ({ chat, site, console }) => {
  console.allow(/./);
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Начал" };
    throw new Error("Лимит модели исчерпан до завтра");
  };
  await chat.open();
  await chat.ask("Первый");
  await expect(chat.answers.locator(chat.failure)).toContainText("Лимит модели исчерпан до завтра");
});

for (const [locale, words] of [
  ["ru", "Ассистент сейчас недоступен. Попробуйте ещё раз позже."],
  ["en", "The model's service is unavailable now."],
] as const) {
  test(`a failed upstream is described in the locale «${locale}», live and after a reload`, async ({
    chat,
    site,
    console,
    page,
  }) => {
    console.allow(/./);
    site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Начал" };
      throw new ModelError("upstream_unavailable", "Предложение сервера");
    };
    const box = chat.root.locator(chat.failure);
    // The page object finds controls by their Russian names, so this test finds the composer by its tag.
    await chat.goto("/", { options: `{ target: "#chat", locale: "${locale}" }` });
    const composer = chat.root.locator("textarea");
    await composer.fill("Первый");
    await composer.press("Enter");
    await expect(box).toContainText(words);
    await page.reload();
    await expect(box).toContainText(words);
    await expect(box).not.toContainText("Предложение сервера");
  });
}

test("the red box shows the error's own text for an unknown error code", plain, async ({ chat }) => {
  await chat.openHistory([
    { id: "q1", role: "user", content: "Вопрос" },
    {
      id: "a1",
      role: "assistant",
      content: "",
      status: { type: "incomplete", reason: "error", error: "Робот спит", code: "robot_asleep" },
    },
  ]);
  await expect(chat.answers.locator(chat.failure)).toContainText("Робот спит");
});

test("an interrupted answer is described in the widget's locale", plain, async ({ chat }) => {
  await chat.seed({ title: "Разговор" });
  await chat.stub("GET", /\/messages$/, {
    json: [
      { id: "q1", role: "user", content: "Вопрос" },
      {
        id: "a1",
        role: "assistant",
        content: "Начал",
        status: { type: "incomplete", reason: "interrupted", error: "Сервер остановился" },
      },
    ],
  });
  await chat.goto("/", { options: `{ target: "#chat", locale: "en" }` });
  await expect(chat.root.locator(chat.failure)).toContainText("The answer broke off on the server.");
});

test("a data-error event before the error chooses the words of the failure", plain, async ({ chat, site, console }) => {
  console.allow(/./);
  site.script.answer = () => [
    { type: "data-error", data: { code: "upstream_limited" } },
    { type: "error", errorText: "Too many requests" },
  ];
  await chat.open();
  await chat.ask("Первый");
  await expect(chat.answers.locator(chat.failure)).toContainText(
    "Ассистент сейчас перегружен. Попробуйте ещё раз через минуту.",
  );
});

test("a spent daily limit is described in plain words", async ({ chat, console }) => {
  console.allow(/./);
  await chat.open();
  await chat.stub("POST", /run\/stream/, {
    status: 429,
    headers: { "retry-after": "3600" },
    json: { error: { code: "budget_exceeded", message: "Spent" } },
  });
  await chat.ask("Вопрос");
  await expect(chat.root.locator(chat.failure)).toContainText(
    "Лимит сообщений на\u00a0сегодня исчерпан. Приходите завтра.",
  );
});

test(
  "«Повторить» at an answer makes a new answer to the same question",
  both,
  async ({ chat, site, page, console }) => {
    console.allow(/./);
    site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Начал" };
      throw new Error("упало");
    };
    await chat.open();
    const first = page.waitForRequest(/run\/stream/);
    await chat.ask("Первый");
    await chat.idle();
    const { id } = ((await first).postDataJSON() as { messages: [{ id: string }] }).messages[0];
    site.script.answer = () => [{ type: "text-delta", delta: "Получилось" }];
    const run = page.waitForRequest(/run\/stream/);
    await chat.button("Повторить", chat.answers).click();
    expect((await run).postDataJSON()).toMatchObject({ messages: [{ id }], trigger: "regenerate-message" });
    await expect(chat.answerTexts).toHaveText([/Получилось/]);
  },
);

test("a thread that no longer exists shows an alert when it is opened", async ({ chat, console }) => {
  console.allow(/Failed to load resource/);
  const [older] = await chat.seed(
    { title: "Первый", at: new Date("2026-03-01T10:00:00Z"), turns: [["а", "б"]] },
    { title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["в", "г"]] },
  );
  await chat.stub("GET", new RegExp(`${older}/messages$`), { status: 404, body: "{}" });
  await chat.open();
  await chat.rowLink("Первый").click();
  await expect(chat.failures).toContainText(/больше нет/);
  await chat.rowLink("Второй").click();
  await expect(chat.questionTexts).toHaveText(["в"]);
});

test("responses of an unexpected shape do not break the widget", plain, async ({ chat, console }) => {
  console.allow(/./);
  await chat.stub("GET", /\/api\/debug\/threads$/, { json: { threads: "нет" } }, 1);
  await chat.goto();
  await chat.retryButton.first().click();
  await chat.idle();
  await chat.stub("POST", /run\/stream/, { json: { error: "не поток" } }, 1);
  await chat.ask("Вопрос");
  await chat.retryButton.first().click();
  await expect(chat.answerTexts).toHaveText([/Ответ на «Вопрос»/]);
});

test("«Повторить» creates the first thread after a failure, and the draft stays", async ({ chat, console }) => {
  console.allow(/./);
  await chat.stub("POST", /\/api\/debug\/threads$/, { status: 500, body: "сломано" }, 1);
  await chat.goto();
  await chat.composer.fill("Первый вопрос");
  await chat.retryButton.first().click();
  await expect(chat.composer).toHaveValue("Первый вопрос");
  await expect(chat.sendButton).toBeEnabled();
  await chat.composer.press("Enter");
  await expect(chat.answerTexts).toHaveText([/Ответ на «Первый вопрос»/]);
});

test(
  "a question that is asked while the server is unreachable is not lost and is sent once",
  both,
  async ({ chat, site, console, page }) => {
    console.allow(/./);
    await chat.open();
    site.setOffline(true);
    await chat.ask("Вопрос без сети");
    await expect(chat.retryButton.or(chat.root.getByText("Восстанавливаю связь…")).first()).toBeVisible();
    site.setOffline(false);
    await chat.recover(/Ответ на «Вопрос без сети»/);
    await page.reload();
    await expect(chat.questionTexts).toHaveText(["Вопрос без сети"]);
  },
);

test("attachments are not lost when sending fails", both, async ({ chat, console }) => {
  console.allow(/./);
  await chat.open();
  await chat.composer.evaluate((field) => {
    const data = new DataTransfer();
    data.items.add(new File(["текст"], "заметка.txt", { type: "text/plain" }));
    field.dispatchEvent(
      new ClipboardEvent("paste", { bubbles: true, composed: true, cancelable: true, clipboardData: data }),
    );
  });
  await expect(chat.attachments).toHaveCount(1);
  await chat.stub("POST", /run\/stream/, "network error", 1);
  await chat.ask("С вложением");
  await expect(chat.root.getByText("заметка.txt", { exact: true })).toBeVisible();
  await chat.recover(/Ответ на «С вложением»/);
  await expect(chat.questions.locator(chat.attachmentTile)).toHaveCount(1);
});

test(
  "an answer that fails in another thread does not affect the open thread",
  both,
  async ({ chat, site, console }) => {
    console.allow(/./);
    const held = gate();
    await chat.seed({ title: "Тихий", at: new Date("2026-03-01T10:00:00Z"), turns: [["а", "б"]] });
    await chat.open();
    await chat.newThreadButton.click();
    await expect(chat.messages).toHaveCount(0);
    site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Начал" };
      await held.opened;
      throw new Error("упало");
    };
    await chat.ask("Шумный");
    await expect(chat.answerTexts).toHaveText([/Начал/]);
    await chat.rowLink("Тихий").click();
    await expect(chat.questionTexts).toHaveText(["а"]);
    held.open();
    await expect(chat.sidebar.locator(".running-mark")).toHaveCount(0);
    await expect(chat.failures).toHaveCount(0);
    await expect(chat.messages).toHaveCount(2);
  },
);

test("a thread accepts no question until its history has loaded, and the draft stays", async ({ chat, console }) => {
  console.allow(/./);
  await chat.seed({ title: "Разговор", turns: [["Было", "Стало"]] });
  await chat.stub("GET", /\/messages$/, { status: 503, body: "нет" }, 2);
  await chat.goto();
  await expect(chat.retryButton).toBeVisible();
  await chat.composer.fill("Ещё вопрос");
  await chat.composer.press("Enter");
  await expect(chat.root.locator(".composer-failure")).toBeVisible();
  await expect(chat.composer).toHaveValue("Ещё вопрос");
  await chat.root.locator(".thread-state").getByRole("button", { name: "Повторить" }).click();
  await expect(chat.questionTexts).toHaveText(["Было"]);
  await chat.composer.press("Enter");
  await expect(chat.questionTexts).toHaveText(["Было", "Ещё вопрос"]);
  await chat.idle();
});
