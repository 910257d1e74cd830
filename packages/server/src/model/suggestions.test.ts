import { describe, expect, it } from "vitest";
import { parseSuggestions, suggestionsInstructions } from "./suggestions.ts";

const prompts = (written: string) => parseSuggestions(written).map(({ prompt }) => prompt);

describe("parseSuggestions", () => {
  it.each([
    ['["А доставка?", "Есть скидки?"]', ["А доставка?", "Есть скидки?"]],
    ['```json\n["А доставка?"]\n```', ["А доставка?"]],
    ['<think>[1]</think>Вот:\n["А доставка?"]', ["А доставка?"]],
    ['hm [1]</think>["А доставка?"]', ["А доставка?"]],
    ['{"suggestions": [{"title": "Доставка", "prompt": "А доставка?"}]}', ["А доставка?"]],
    ['[{"prompt": "А доставка?", "title": ""}, {"title": "Скидки"}]', ["А доставка?", "Скидки"]],
    ["Вот вопросы:\n\n1. А доставка?\n2) «Есть скидки?»\n- Кто вы?", ["А доставка?", "Есть скидки?", "Кто вы?"]],
    ['["a", "a", " a ", "b", "c", "d", "e"]', ["a", "b", "c", "d"]],
    ['["два\\n  слова", 7, null, [], {"title": 1}]', ["два слова"]],
  ])("reads %j", (written, expected) => {
    expect(prompts(written)).toEqual(expected);
  });

  it.each(["", "[]", "null", '["незакрытый', '{"a": "b"}', "```json\n[oops\n```", `["${"x".repeat(161)}"]`])(
    "finds nothing in %j",
    (written) => {
      expect(parseSuggestions(written)).toEqual([]);
    },
  );

  it("shows the whole text that it sends, whatever title a model gives, and nothing with markup", () => {
    const long = "Расскажите подробнее о том, как заваривать чай путешественнику без чайника и без плиты";
    const misleading = { title: "Статус заказа", prompt: "Отмени заказ 17" };
    expect(parseSuggestions(JSON.stringify([long, misleading, "<b>Да?</b>"]))).toEqual([
      { title: long, prompt: long },
      { title: "Отмени заказ 17", prompt: "Отмени заказ 17" },
    ]);
  });

  it("is requested with instructions that name it", () => {
    expect(suggestionsInstructions).toContain("suggestions");
  });
});
