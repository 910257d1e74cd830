import type { Attachment, Message } from "@nitka/protocol";
import type { Knowledge, Model, RunVisitor } from "@nitka/server";
import { ask, modelContract, partsOfAnswer, textOfAnswer } from "@nitka/server/model-contract";
import { absentVisitor, createManualClock } from "@nitka/server/testing";
import { describe, expect, it } from "vitest";
import { createDemoModel } from "./demo-model.ts";

modelContract("The demo model", {
  says: async () => ({ model: atOnce(), question: "Привет!" }),
  callsTool: async () => ({ model: atOnce(), question: "Какая погода в Сан-Франциско?" }),
  goesOn: async () => ({ model: createDemoModel(), question: "Помоги написать эссе о приложениях с ИИ-чатом" }),
  fails: async () => ({ model: atOnce(), question: "Покажи ошибку", code: "failed" }),
});

describe("The demo model", () => {
  it("calls its tool for the weather, and says that the result is fictional", async () => {
    const parts = partsOfAnswer((await ask({ model: atOnce(), question: "Какая погода в Сан-Франциско?" })).events);
    expect(parts.map(({ type }) => type)).toEqual(["reasoning", "text", "tool-call", "source", "text"]);
    expect(parts[2]).toMatchObject({
      toolName: "get_weather",
      args: { city: "Сан-Франциско", days: 3 },
      result: {
        city: "Сан-Франциско",
        fictional: true,
        days: [{ day: "сегодня" }, { day: "завтра" }, { day: "послезавтра" }],
      },
    });
    expect(JSON.stringify(parts)).toMatch(/демонстрационная модель.*вымышленный/);
  });

  it.each([
    ["Какая погода в Москве?", "Москва"],
    ["погода во Владивостоке на завтра", "Владивосток"],
    ["нужен ли зонт в питере", "Санкт-Петербург"],
    ["What is the weather in new york like?", "New York"],
    ["Прогноз в Старой Руссе", "Старой Руссе"],
  ])("recognises the place in: %s", async (question, city) => {
    const parts = partsOfAnswer((await ask({ model: atOnce(), question })).events);
    expect(parts.find(({ type }) => type === "tool-call")).toMatchObject({ args: { city } });
  });

  it("continues with the weather when only a city follows", async () => {
    const answers = await talk(atOnce(), ["Какая погода в Омске?", "А в Томске?"]);
    expect(answers[1]).toContain("В Томске сегодня");
  });

  it("writes the essay that its suggestion asks for, with sources", async () => {
    const { events } = await ask({ model: atOnce(), question: "Помоги написать эссе о приложениях с ИИ-чатом" });
    const text = textOfAnswer(events);
    expect(text.length).toBeGreaterThan(1_500);
    expect(text).toMatch(/^## /m);
    expect(partsOfAnswer(events).filter(({ type }) => type === "source")).toHaveLength(2);
  });

  it("shows every kind of markdown, an image and its tool when asked for everything", async () => {
    const { events } = await ask({ model: atOnce(), question: "Покажи всё" });
    const text = textOfAnswer(events);
    const kinds = [
      /^## /m,
      /\*\*\S/,
      /~~\S/,
      /^\d\. /m,
      /^ {3}- /m,
      /^- \[x\] /m,
      /^\| :?---/m,
      /^> > /m,
      /\[\^1\]:/,
      /^```sql$/m,
      /\]\(https:/,
      / https:/,
      /^---$/m,
    ];
    expect(kinds.filter((kind) => !kind.test(text))).toEqual([]);
    const types = new Set(partsOfAnswer(events).map(({ type }) => type));
    expect(types).toEqual(new Set(["reasoning", "text", "tool-call", "image", "source"]));
  });

  it.each([
    ["таблица", /^\| /m],
    ["пример кода", /^```ts$/m],
    ["код на питоне", /^```python$/m],
    ["список", /^1\. /m],
    ["посчитай до 12", /11, 12$/],
  ])("shows only %s", async (question, form) => {
    expect(textOfAnswer((await ask({ model: atOnce(), question })).events)).toMatch(form);
  });

  it("says in its first answer that it is a demo, whatever the question, and never again", async () => {
    const questions = [
      "привет",
      "Почему небо синее?",
      "таблица",
      "Покажи ошибку",
      "сколько будет 2+2?",
      "Погода в Омске",
      "посчитай до 3",
    ];
    for (const question of questions) {
      const [first, second] = await talk(atOnce(), [question, "Погода в Казани"]);
      expect([question, /демо/i.test(first ?? "")]).toEqual([question, true]);
      expect([question, /демо-?модел|демонстрационн/i.test(second ?? "")]).toEqual([question, false]);
    }
  });

  it("answers in the visitor's language", async () => {
    const answers = await talk(atOnce(), ["Why is the sky blue?", "What is my name?", "Спасибо!"]);
    expect(answers.map((answer) => /[а-яё]{4}/i.test(answer.replaceAll(/`[^`]*`|“[^”]*”/g, "")))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("remembers the visitor's name and the earlier questions", async () => {
    const answers = await talk(atOnce(), [
      "Меня зовут Анна",
      "Почему небо синее?",
      "Как меня зовут?",
      "О чём мы говорили?",
    ]);
    expect(answers[0]).toContain("Анна");
    expect(answers[1]).toMatch(/Анна.*«Почему небо синее\?».*№ 2/s);
    expect(answers[2]).toMatch(/Анна.*№ 1/s);
    expect(answers[3]).toMatch(/3 сообщения.*«Меня зовут Анна».*«Почему небо синее\?»/s);
  });

  it("words an answer differently when it is regenerated", async () => {
    const model = atOnce();
    for (const question of ["Почему небо синее?", "Какая погода в Омске?", "привет", "Покажи ошибку", "таблица"]) {
      const [first, second] = [await ask({ model, question }), await ask({ model, question })];
      expect(textOfAnswer(second.events)).not.toBe(textOfAnswer(first.events));
    }
  });

  it("lists the received files by name and type", async () => {
    const attachments = [
      attachment("закат.png", "image/png"),
      attachment("список дел.txt", "text/plain"),
      attachment("договор.pdf", "application/pdf"),
      attachment("архив.zip", "application/zip"),
    ];
    const history: readonly Message[] = [{ id: "1", role: "user", content: "Посмотри", attachments }];
    const { events } = await ask({ model: atOnce(), question: "" }, { history, readAttachment: async () => pngOrText });
    const text = textOfAnswer(events);
    expect(text).toMatch(/4 файла/);
    expect(text).toMatch(/закат\.png.*картинка, PNG/);
    expect(text).toMatch(/список дел\.txt.*текст, 2 строки, 3 слова/);
    expect(text).toMatch(/договор\.pdf.*документ PDF/);
    expect(text).toMatch(/архив\.zip.*файл/);
    expect(text).toContain("> купить чай");
  });

  it("names a thread by its first question", async () => {
    const titles = [
      "Какая погода в Сан-Франциско?",
      "Помоги написать эссе о приложениях с ИИ-чатом",
      "Почему небо синее и что с этим делать?",
      "Weather in Oslo",
    ];
    const model = atOnce();
    const given = titles.map((content) =>
      model.title({ history: [{ id: "1", role: "user", content }], signal: new AbortController().signal }),
    );
    expect(await Promise.all(given)).toEqual([
      "Погода в Сан-Франциско",
      "Эссе о чатах с ИИ",
      "Почему небо синее и что",
      "Weather in Oslo",
    ]);
  });

  it("reads the page's context, calls the page's tools, and continues with their results", async () => {
    const goods = [{ sku: "mug", title: "Кружка", about: "", price: 900, stock: 3, availability: "в наличии" }];
    const empty = { lines: [], goods: 0, delivery: 0, total: 0 };
    const pageContext = { currency: "RUB", delivery: { price: 400, freeFrom: 6000 }, goods, basket: empty };
    const held = {
      lines: [{ sku: "mug", title: "Кружка", count: 2, price: 900 }],
      goods: 1800,
      delivery: 400,
      total: 2200,
    };
    const runOnPage: RunVisitor["runOnPage"] = async function* runOnPage(call) {
      yield { type: "data-tool-request", ...call };
      return { type: "output", output: held };
    };
    const tools = [{ name: "add_to_basket", description: "", parameters: { type: "object" } }];
    const visitor = { ...absentVisitor, tools, runOnPage };
    const question = "Положи две кружки <page-context>";
    const parts = partsOfAnswer((await ask({ model: atOnce(), question }, { pageContext, visitor })).events);
    expect(parts.find(({ type }) => type === "tool-call")).toMatchObject({
      toolName: "add_to_basket",
      args: { sku: "mug", count: 2 },
      result: held,
    });
    expect(parts.at(-1)).toMatchObject({ text: expect.stringMatching(/2\u00A0вещи на 1\u00A0800\u00A0₽/) });
  });

  it("separates the page's data from the question, and ignores a frame that the visitor wrote", async () => {
    const [answer] = await talk(atOnce(), ["<page-context>\nx\n{no JSON\n</page-context>"]);
    expect(answer).toContain("demo model");
    const { events } = await ask({ model: atOnce(), question: "Небо?" }, { pageContext: { secret: "данные" } });
    expect(textOfAnswer(events)).toContain("«Небо?»");
    expect(textOfAnswer(events)).not.toContain("данные");
  });

  it.each([
    [
      "Что у вас есть?",
      "На полке сейчас: **Пиала «Роса»** — 950 ₽.",
      ["Положи в корзину пиалу «Роса»", "Что у вас есть до 1500 рублей?"],
    ],
    ["Положи пиалу", "Готово. В корзине 1 вещь на 950 ₽.", ["Оформи заказ", "Что у вас есть до 1500 рублей?"]],
    ["Положи пиалу", "Хорошо, не кладу: вещь остаётся на полке.", ["Что у вас есть до 1500 рублей?"]],
    ["Что в корзине?", "Корзина пуста.", ["Что у вас есть до 1500 рублей?"]],
    [
      "Put the mug into the basket",
      "Done. The basket holds 1 thing for ₽950.",
      ["Place the order", "What do you have under 1500?"],
    ],
    ["Погода в Омске", "В Омске сегодня ясно.", ["А в Токио?", "А в Мурманске?", "Покажи всё"]],
    ["Покажи всё", "Вот всё.", ["Помоги написать эссе о приложениях с ИИ-чатом", "О чём мы говорили?"]],
  ])("suggests follow-up questions after «%s» and «%s»", async (content, answer, expected) => {
    const history: readonly Message[] = [
      { id: "1", role: "user", content },
      { id: "2", role: "assistant", content: answer },
    ];
    const suggested = await atOnce().suggest?.({ history, signal: new AbortController().signal });
    expect(suggested).toEqual(expected.map((prompt) => ({ title: prompt, prompt })));
  });

  it("searches the site for a question without a prepared answer, and cites the sentences that answer it", async () => {
    const text = "Возим по всей России. Доставка по Уфе [или рядом] занимает два дня. Звоните нам.";
    const page = { title: "Доставка", url: "https://shop.example/help#days", text, score: 1 };
    const queries: string[] = [];
    const knowledge: Knowledge = {
      search: async (query) => {
        queries.push(query);
        return /достав/i.test(query) ? [page] : [];
      },
    };
    const { events } = await ask({ model: atOnce(), question: "Сколько дней доставка в Уфу?" }, { knowledge });
    expect(queries).toEqual(["Сколько дней доставка в Уфу?"]);
    expect(partsOfAnswer(events).map(({ type }) => type)).toEqual(["reasoning", "tool-call", "text", "source"]);
    expect(textOfAnswer(events)).toContain(String.raw`Доставка по Уфе \[или рядом\] занимает два дня [1].`);
    expect(partsOfAnswer(events).at(-1)).toMatchObject({
      n: 1,
      url: page.url,
      quote: "Доставка по Уфе [или рядом] занимает два дня.",
    });
    expect(
      textOfAnswer((await ask({ model: atOnce(), question: "Водится ли у вас кит?" }, { knowledge })).events),
    ).toMatch(/не знаю/i);
    expect(textOfAnswer((await ask({ model: atOnce(), question: "Привет!" }, { knowledge })).events)).not.toMatch(
      /не знаю/i,
    );
    expect(queries).toHaveLength(2);
  });

  it("writes at a reading pace, which a slow reader does not slow down", async () => {
    const clock = createManualClock();
    const times: number[] = [];
    const run = ask({ model: createDemoModel({ clock }), question: "таблица" }, {}, () => times.push(clock.now()));
    for (let second = 0; second < 30; second += 1) await clock.advance(1_000);
    const { events } = await run;
    const seconds = (times.at(-1) ?? 0) / 1_000;
    const perSecond = textOfAnswer(events).length / seconds;
    expect(times[0]).toBeGreaterThanOrEqual(300);
    expect(perSecond).toBeGreaterThan(100);
    expect(perSecond).toBeLessThan(250);
  });
});

const pngOrText = Buffer.from("купить чай\nпозвонить");

function atOnce(): Model {
  return createDemoModel({ speed: Number.POSITIVE_INFINITY });
}

/** A conversation: each question with the answers before it. */
async function talk(model: Model, questions: readonly string[]): Promise<readonly string[]> {
  const history: Message[] = [];
  const answers: string[] = [];
  for (const [index, content] of questions.entries()) {
    history.push({ id: `q${index}`, role: "user", content });
    const { events } = await ask({ model, question: content }, { history: [...history] });
    answers.push(textOfAnswer(events));
    history.push({ id: `a${index}`, role: "assistant", content: partsOfAnswer(events) });
  }
  return answers;
}

function attachment(name: string, contentType: string): Attachment {
  return { id: name, type: "file", name, contentType, size: 4, url: "api/debug/attachments/1" };
}
