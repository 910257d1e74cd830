import type { WireEvent } from "./backend.ts";
import { done, gate } from "./backend.ts";
import { coreOnBoth, corePlain, expect, motion, plain, test } from "./fixtures.ts";

test.use(motion);

test("the widget reads every spelling of a stream", corePlain, async ({ chat }) => {
  test.slow();
  const streams: Readonly<Record<string, readonly (WireEvent | string)[]>> = {
    "text under delta": [
      { type: "start", messageId: "a1" },
      { type: "text-delta", delta: "Готово" },
      { type: "finish" },
      done,
    ],
    "text under text": [
      { type: "start", messageId: "a1" },
      { type: "text-delta", text: "Готово" },
      { type: "finish" },
      done,
    ],
    "fields under data": [
      { type: "start", data: { messageId: "a1" } },
      { type: "text-delta", data: { delta: "Готово" } },
      { type: "finish", data: {} },
      done,
    ],
    "text under data.text": [
      { type: "start" },
      { type: "text-delta", data: { text: "Готово" } },
      { type: "finish" },
      done,
    ],
    "blocks with ids": [
      { type: "start", messageId: "a1" },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "Готово" },
      { type: "text-end", id: "t" },
      { type: "finish" },
      done,
    ],
    "deltas without a start": [
      { type: "text-delta", delta: "Гото" },
      { type: "text-delta", delta: "во" },
      { type: "finish" },
    ],
    "deltas of a block that never started": [
      { type: "start", messageId: "a1" },
      { type: "text-delta", id: "нет такого", delta: "Готово" },
      { type: "finish" },
      done,
    ],
    "no [DONE]": [{ type: "start", messageId: "a1" }, { type: "text-delta", delta: "Готово" }, { type: "finish" }],
    "no finish": [{ type: "start", messageId: "a1" }, { type: "text-delta", delta: "Готово" }, done],
    "unknown events between known ones": [
      { type: "start", messageId: "a1" },
      { type: "hologram", data: { x: 1 } },
      { type: "text-delta", delta: "Гото" },
      { type: "data-whatever", data: "строка" },
      { type: "text-delta", delta: "во" },
      { type: "" },
      { type: "finish" },
      done,
    ],
    "garbage between events": [
      { type: "start", messageId: "a1" },
      "data: {не json\n\n",
      "data: \n\n",
      "data: 17\n\n",
      "data: null\n\n",
      "data: [1,2]\n\n",
      'data: {"type":42}\n\n',
      "что-то без двоеточия\n\n",
      ": комментарий\n\n",
      "event: ping\nretry: 10\n\n",
      { type: "text-delta", delta: "Готово" },
      { type: "finish" },
      done,
    ],
    "several data lines before a blank line": [
      'data: {"type":"start","messageId":"a1"}\ndata: {"type":"text-delta","delta":"Гото"}\ndata: rubbish\ndata: {"type":"text-delta","delta":"во"}\n\n',
      { type: "finish" },
      done,
    ],
    "CRLF line endings": [
      'data: {"type":"start","messageId":"a1"}\r\n\r\ndata: {"type":"text-delta","delta":"Готово"}\r\n\r\n',
      'data: {"type":"finish"}\r\n\r\ndata: [DONE]\r\n\r\n',
    ],
    "no blank line at the end": [
      'data: {"type":"start"}\n\n',
      'data: {"type":"text-delta","delta":"Готово"}\n\n',
      'data: {"type":"finish"}',
    ],
    "no space after the colon": [
      'data:{"type":"text-delta","delta":"Готово"}\n\n',
      'data:{"type":"finish"}\n\n',
      "data:[DONE]\n\n",
    ],
  };
  await chat.open();
  for (const [name, lines] of Object.entries(streams)) {
    await test.step(name, async () => {
      if ((await chat.messages.count()) > 0) await chat.newThread();
      chat.answersRaw(...lines);
      await chat.ask("Вопрос");
      await expect(chat.answerTexts).toHaveText(["Готово"]);
      await chat.idle();
      await expect(chat.answers.locator(chat.failure)).toHaveCount(0);
      await expect(chat.messages).toHaveCount(2);
      await expect(chat.button("Предыдущий вариант")).toHaveCount(0);
    });
  }
});

test("events after [DONE] are ignored", plain, async ({ chat }) => {
  chat.answersRaw(
    { type: "text-delta", delta: "Готово" },
    done,
    { type: "text-delta", delta: " лишнее" },
    { type: "finish" },
  );
  await chat.open();
  await chat.ask("Вопрос");
  await chat.idle();
  await expect(chat.answerTexts).toHaveText(["Готово"]);
});

test(
  "the start event gives the answer the server's id and keeps its element",
  corePlain,
  async ({ chat, page, site }) => {
    const [beforeStart, beforeEnd] = [gate(), gate()];
    site.script.rawAnswer = async function* () {
      yield { type: "text-delta", delta: "Раз" };
      await beforeStart.opened;
      yield { type: "start", messageId: "от-сервера" };
      yield { type: "text-delta", delta: " два" };
      await beforeEnd.opened;
      yield { type: "finish" };
      yield done;
    };
    await chat.open();
    await chat.ask("Вопрос");
    await expect(chat.answerTexts).toHaveText(["Раз"]);
    await chat.answers.evaluate((element) => Object.assign(element, { marked: true }));
    beforeStart.open();
    await expect(chat.answerTexts).toHaveText(["Раз два"]);
    expect(await chat.answers.evaluate((element) => Reflect.get(element, "marked"))).toBe(true);
    beforeEnd.open();
    await chat.idle();
    expect(await chat.answers.evaluate((element) => Reflect.get(element, "marked"))).toBe(true);
    await expect(chat.answers).toHaveCount(1);
    const next = page.waitForRequest(/run\/stream/);
    await chat.ask("Ещё");
    expect((await next).postDataJSON()).toMatchObject({ messages: [{ parentId: "от-сервера" }] });
  },
);

test("a start event with another message's id adds no branch and loses no message", plain, async ({ chat }) => {
  chat.answersRaw(
    { type: "start", messageId: "one" },
    { type: "text-delta", delta: "Первый" },
    { type: "finish" },
    done,
  );
  await chat.open();
  await chat.converse("Раз");
  chat.answersRaw(
    { type: "start", messageId: "one" },
    { type: "text-delta", delta: "Второй" },
    { type: "finish" },
    done,
  );
  await chat.converse("Два");
  await expect(chat.answerTexts).toHaveText(["Первый", "Второй"]);
});

test(
  "data-thinking and data-progress show the progress and disappear at the end, in every spelling",
  plain,
  async ({ chat, site }) => {
    const spellings = [
      [
        "flat",
        [
          { type: "data-thinking", text: "Думаю о погоде" },
          { type: "data-progress", message: "Спрашиваю службу" },
        ],
      ],
      [
        "under data",
        [
          { type: "data-thinking", data: { text: "Думаю о погоде" } },
          { type: "data-progress", data: { text: "Спрашиваю службу" } },
        ],
      ],
      [
        "bare",
        [
          { type: "data-thinking", data: "Думаю о погоде" },
          { type: "data-progress", data: "Спрашиваю службу" },
        ],
      ],
    ] as const;
    await chat.open();
    for (const [spelling, events] of spellings) {
      await test.step(`data-thinking and data-progress (${spelling}) show the progress and disappear at the end`, async () => {
        if ((await chat.messages.count()) > 0) await chat.newThread();
        const [first, second] = [gate(), gate()];
        site.script.rawAnswer = async function* () {
          yield { type: "start", messageId: "a1" };
          yield events[0];
          await first.opened;
          yield events[1];
          await second.opened;
          yield { type: "text-delta", delta: "Солнечно" };
          yield { type: "finish" };
          yield done;
        };
        await chat.ask("Погода?");
        // The activity is not looked for in the region that announces it.
        const activity = chat.root.getByRole("article");
        await expect(activity.getByText("Думаю о погоде")).toBeVisible();
        first.open();
        await expect(activity.getByText("Спрашиваю службу")).toBeVisible();
        await expect(activity.getByText("Думаю о погоде")).toHaveCount(0);
        second.open();
        await expect(chat.answerTexts).toHaveText(["Солнечно"]);
        await expect(activity.getByText("Спрашиваю службу")).toHaveCount(0);
        await chat.idle();
      });
    }
  },
);

test("one answer can have an event of every type", plain, async ({ chat }) => {
  chat.answersRaw(
    { type: "start", messageId: "a1" },
    { type: "start-step" },
    { type: "message-metadata", messageMetadata: {} },
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "Размышление" },
    { type: "reasoning-end", id: "r" },
    { type: "tool-input-start", toolCallId: "c", toolName: "search" },
    { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "{}" },
    { type: "tool-input-available", toolCallId: "c", toolName: "search", input: {} },
    { type: "tool-output-available", toolCallId: "c", output: "нашлось" },
    { type: "tool-input-error", toolCallId: "d", toolName: "other", input: "{", errorText: "не разобрать" },
    { type: "finish-step" },
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "Ответ" },
    { type: "text-end", id: "t" },
    { type: "source-url", sourceId: "s", url: "https://example.com/", title: "Источник" },
    { type: "source-document", sourceId: "s2", title: "Документ", mediaType: "application/pdf" },
    { type: "file", url: "data:text/csv;base64,YQ==", mediaType: "text/csv", filename: "а.csv" },
    { type: "data-thread-title", title: "Обо всём" },
    { type: "finish" },
    done,
  );
  await chat.open();
  await chat.converse("Вопрос");
  await expect(chat.answers.getByRole("button", { name: /Ход рассуждений/ })).toBeVisible();
  await expect(chat.answers.getByRole("button", { name: /^Used tool/ })).toHaveCount(2);
  await expect(chat.answers.getByText("Ответ", { exact: true })).toBeVisible();
  await chat.answers.getByRole("button", { name: "2 источника" }).click();
  await expect(chat.answers.getByText(/Источник/)).toBeVisible();
  await expect(chat.answers.getByText(/Документ/)).toBeVisible();
  await expect(chat.answers.getByRole("link", { name: /а\.csv/ })).toBeVisible();
  await expect(chat.row("Обо всём")).toHaveCount(1);
});

test("a grapheme that is split between deltas is shown whole", plain, async ({ chat, site }) => {
  site.script.rawAnswer = async function* () {
    yield { type: "start", messageId: "a1" };
    for (const letter of "Ёж 👩‍👩‍👧 и café") yield { type: "text-delta", delta: letter };
    yield { type: "finish" };
    yield done;
  };
  await chat.open();
  await chat.converse("Вопрос");
  await expect(chat.answerTexts).toHaveText(["Ёж 👩‍👩‍👧 и café"]);
});

test("each delta is shown while the stream is open", coreOnBoth, async ({ chat, site }) => {
  const held = ["раз", "два", "три"].map((word) => ({ word, shown: gate() }));
  site.script.answer = async function* () {
    for (const { word, shown } of held) {
      yield { type: "text-delta", delta: `${word} ` };
      await shown.opened;
    }
  };
  await chat.open();
  await chat.ask("Считай");
  for (const step of held) {
    await expect(chat.answerTexts).toHaveText([new RegExp(`${step.word}\\s*$`)]);
    step.shown.open();
  }
  await chat.idle();
});
