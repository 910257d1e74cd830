import { describe, expect, it } from "vitest";
import type { Beat } from "../beat.ts";
import { readConversation } from "../conversation.ts";
import type { Conversation, EndedCall } from "../conversation.ts";
import { scenarioFor } from "../scenarios.ts";

const goods = [
  good("celadon-bowl", "Пиала «Роса»", 950, 12, "Селадоновая глазурь, 90 мл. Стенка тонкая: чай видно на просвет."),
  good("blue-mug", "Кружка «Иней»", 1450, 7, "Синяя глазурь, 320 мл. Ручка под четыре пальца, край гладкий."),
  { ...good("clay-teapot", "Чайник «Овраг»", 5600, 0, "Красная глина без глазури."), availability: "обжиг 28 ноября" },
  good("set-for-two", "Набор «На двоих»", 7900, 2, "Чайник, две пиалы и дубовая доска. В коробке, готов дарить."),
];
const emptyBasket = { lines: [], goods: 0, delivery: 0, total: 0, tillFreeDelivery: 0 };
const basket = {
  lines: [{ sku: "blue-mug", title: "Кружка «Иней»", count: 1, price: 1450 }],
  goods: 1450,
  delivery: 400,
  total: 1850,
};
const page = { currency: "RUB", delivery: { price: 400, freeFrom: 6000 }, goods, basket };
const tools = new Set(["add_to_basket", "remove_from_basket", "show_basket", "place_order"]);

describe("the demo model in the shop", () => {
  it.each([
    ["Положи в корзину синюю кружку", "add_to_basket", { sku: "blue-mug", count: 1 }],
    ["добавь две пиалы", "add_to_basket", { sku: "celadon-bowl", count: 2 }],
    ["Возьму 3 кружки", "add_to_basket", { sku: "blue-mug", count: 3 }],
    ["Положи набор на двоих", "add_to_basket", { sku: "set-for-two", count: 1 }],
    ["Put the blue mug into the basket", "add_to_basket", { sku: "blue-mug", count: 1 }],
    ["Add two bowls, please", "add_to_basket", { sku: "celadon-bowl", count: 2 }],
    ["Убери кружку из корзины", "remove_from_basket", { sku: "blue-mug" }],
    ["Что в корзине?", "show_basket", {}],
    ["What is in my basket?", "show_basket", {}],
    ["Оформи заказ", "place_order", {}],
    ["Checkout, please", "place_order", {}],
  ])("calls the page's tool for: %s", (question, toolName, input) => {
    expect(callIn(answer(question))).toEqual({ type: "call", toolName, input });
  });

  it("lists the products up to a price, the cheapest first", () => {
    const text = textIn(answer("Что у вас есть до 1 500 рублей?"));
    expect(text).toMatch(/Пиала «Роса»\*\* — 950\u00A0₽.*Кружка «Иней»\*\* — 1\u00A0450\u00A0₽/s);
    expect(text).not.toMatch(/Чайник «Овраг»|Набор/);
    expect(textIn(answer("Что есть до 500 рублей?"))).toMatch(/ничего нет.*Пиала/s);
    expect(textIn(answer("What do you have under 1000?"))).toMatch(/Up to ₽1,000.*₽950/s);
  });

  it("describes the product that the question names, and remembers it for «положи её»", () => {
    expect(textIn(answer("Сколько стоит кружка?"))).toContain("1\u00A0450\u00A0₽");
    expect(callIn(answer("Положи её в корзину", { earlier: ["Сколько стоит кружка?"] }))).toMatchObject({
      input: { sku: "blue-mug" },
    });
  });

  it.each([
    ["Можно ли мыть кружку в посудомойке?", "search_site"],
    ["How do I return a mug?", "search_site"],
    ["Сколько идёт доставка?", "search_site"],
    ["Сколько стоит кружка?", undefined],
    ["Положи кружку с доставкой", "add_to_basket"],
  ])("searches the help pages for their subjects: %s", (question, toolName) => {
    const call = callIn(answer(question, { tools: new Set([...tools, "search_site"]) }));
    expect(call?.toolName).toBe(toolName);
  });

  it("asks which product is meant when the question matches several, or none", () => {
    expect(textIn(answer("Положи кружку и пиалу"))).toMatch(/Уточните.*Пиала.*Кружка/s);
    expect(textIn(answer("Положи самовар"))).toMatch(/Уточните.*Пиала.*Кружка.*Чайник.*Набор/s);
  });

  it("calls no tool for a product that is sold out, or for an empty order", () => {
    expect(textIn(answer("Положи чайник"))).toMatch(/обжиг 28 ноября/);
    expect(textIn(answer("Оформи заказ", { pageContext: { ...page, basket: emptyBasket } }))).toContain("пуста");
  });

  it.each<[string, EndedCall["outcome"], RegExp]>([
    ["Положи кружку", { type: "returned", output: basket }, /^Готово\. В корзине 1\u00A0вещь на 1\u00A0450\u00A0₽\.$/],
    ["Положи кружку", { type: "denied", reason: "The visitor denied this call, so the tool did not run." }, /не кладу/],
    ["Оформи заказ", { type: "denied", reason: "The visitor denied this call." }, /не оформляю/],
    [
      "Положи кружку",
      { type: "denied", reason: "The visitor did not allow this call within 120 seconds." },
      /не дождался/,
    ],
    ["Положи кружку", { type: "failed", reason: "The page did not answer within 120 seconds." }, /не ответила/],
    ["Положи кружку", { type: "failed", reason: 'The tool "add_to_basket" failed: x is undefined' }, /об ошибке/],
    ["Положи кружку", { type: "returned", output: { refused: "Кружка «Иней»: осталось 7." } }, /осталось 7\.»/],
    ["Положи кружку", { type: "returned", output: "ok" }, /не понять/],
    ["Что в корзине?", { type: "returned", output: emptyBasket }, /пуста/],
    [
      "Оформи заказ",
      { type: "returned", output: { ...basket, number: 1042 } },
      /заказ №\u00A01042 на 1\u00A0850\u00A0₽/,
    ],
    ["Put the mug into the basket", { type: "denied", reason: "The visitor denied this call." }, /stays on the shelf/],
  ])("goes on after «%s» that ended with %j", (question, outcome, words) => {
    const toolName = callIn(answer(question))?.toolName ?? "";
    const beats = answer(question, { toolCall: { toolName, input: {}, outcome } });
    expect(textIn(beats)).toMatch(words);
    expect(callIn(beats)).toBeUndefined();
  });

  it("says that it has no tool when the page has declared none", () => {
    const beats = answer("Положи кружку", { tools: new Set() });
    expect(callIn(beats)).toBeUndefined();
    expect(textIn(beats)).toContain("add_to_basket");
  });

  it("says that there is no shop when the page has none, and links to the demo shop", () => {
    const beats = answer("Положи в корзину синюю кружку", { pageContext: undefined });
    expect(textIn(beats)).toMatch(/Магазина здесь нет.*\/demo\/launcher/s);
    expect(textIn(answer("What is in my basket?", { pageContext: { goods: [] } }))).toMatch(/no shop here/);
  });

  it("says in the first answer that it is a demo", () => {
    for (const question of ["Положи кружку", "Что у вас есть?", "Оформи заказ", "Положи самовар"]) {
      expect([question, textIn(answer(question))]).toEqual([question, expect.stringMatching(/демо/i)]);
    }
  });

  it("leaves other questions to other scenarios, also in the shop", () => {
    expect(callIn(answer("Какая погода в Омске?"))).toMatchObject({ toolName: "get_weather" });
    expect(textIn(answer("посчитай до 12"))).toContain("11, 12");
  });

  it("writes a page's texts as plain text, without their markdown", () => {
    const goods = [good("x", "Кружка **![](https://evil.example/)**", 100, 1, "`x`")];
    expect(textIn(answer("Что у вас есть?", { pageContext: { ...page, goods } }))).not.toMatch(/[[`]/);
  });
});

function good(sku: string, title: string, price: number, stock: number, about: string) {
  return { sku, title, price, stock, about, availability: "в наличии" };
}

function answer(
  question: string,
  { earlier = [], ...given }: Partial<Conversation> & { readonly earlier?: readonly string[] } = {},
): readonly Beat[] {
  const turns = [...earlier, question].map((text) => ({ role: "user" as const, text, files: [] }));
  const conversation = readConversation(turns, { attempt: 0, tools, pageContext: page, ...given });
  return scenarioFor(conversation).answer(conversation);
}

function textIn(beats: readonly Beat[]): string {
  return beats.flatMap((beat) => (beat.type === "say" ? [beat.text] : [])).join("\n");
}

function callIn(beats: readonly Beat[]): Extract<Beat, { type: "call" }> | undefined {
  return beats.find((beat) => beat.type === "call");
}
