import { expect, test } from "vitest";
import { createSentences } from "./sentences.ts";

/** The sentences of a text that arrives in pieces. */
function sentencesOf(...pieces: readonly string[]): readonly string[] {
  const sentences = createSentences();
  return [...pieces.flatMap((piece) => sentences.push(piece)), ...sentences.flush()];
}

test("a sentence comes out when it is whole, the rest at the end", () => {
  const sentences = createSentences();
  expect(sentences.push("Погода ясн")).toEqual([]);
  expect(sentences.push("ая. Возьмите ку")).toEqual(["Погода ясная."]);
  expect(sentences.push("ртку! ")).toEqual(["Возьмите куртку!"]);
  expect(sentences.push("Ветер")).toEqual([]);
  expect(sentences.flush()).toEqual(["Ветер"]);
});

test("the point of a number does not end a sentence", () => {
  expect(sentencesOf("Держится 17.5 градуса. Ясно.")).toEqual(["Держится 17.5 градуса.", "Ясно."]);
});

test("the marks of markdown are removed", () => {
  expect(sentencesOf("## Итог\n- **да**, [прогноз](https://example.com) `ясно`\n> цитата\n---\n")).toEqual([
    "Итог",
    "да, прогноз ясно",
    "цитата",
  ]);
});

test("fenced code is left out, wherever the text is cut", () => {
  expect(sentencesOf("Вот:\n``", "`ts\nconst a = 1;\n", "```\nГотово.")).toEqual(["Вот:", "Готово."]);
});

test.each([
  ["5*3=15 и 2 * 3 = 6", "5*3=15 и 2 * 3 = 6"],
  ["snake_case_name и __init__", "snake_case_name и init"],
  ["примерно ~5 минут, ~~шесть~~", "примерно ~5 минут, шесть"],
  ["*раз*, **два:** ***три*** и _четыре_", "раз, два: три и четыре"],
  ["«**да**», (*нет*) и 2**3", "«да», (нет) и 2**3"],
  ["по [данным][1] и [2][ref], [^1] смотри ![схему](a.png)", "по данным и 2, смотри схему"],
  ["[Документация](https://example.com/a_b) [docs] [1]", "Документация [docs] [1]"],
  ["H<sub>2</sub>O<br>и <kbd>Ctrl</kbd><!-- нет -->", "H2O и Ctrl"],
  ["площадь $x^2$, \\(y_1\\) и $\\frac{a}{b}$", "площадь x^2, y_1 и frac a b"],
  ["цена $5 и $10", "цена $5 и $10"],
  ["звёздочка \\* и \\_черта\\_", "звёздочка * и _черта_"],
  ["> - [x] ## готово", "готово"],
  ["| a | `b` |", "a b"],
  ["a < b и c > d", "a < b и c > d"],
])("%s is spoken as «%s»", (markdown, spoken) => {
  expect(sentencesOf(markdown)).toEqual([spoken]);
});

test.each([
  ["То есть, т. е. так. И далее.", ["То есть, т. е. так.", "И далее."]],
  ["А. С. Пушкин, г. Москва. Да.", ["А. С. Пушкин, г. Москва.", "Да."]],
  ["1. Раз.\n2. Два\n   12) Три! Четыре.", ["1. Раз.", "2. Два", "12) Три!", "Четыре."]],
  ["Год 1999. И 2000. Всё.", ["Год 1999.", "И 2000.", "Всё."]],
  ["[docs]: https://example.com\n[^1]: Её текст.", ["Её текст."]],
])("%j is cut into %j", (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences);
  expect(sentencesOf(...text.split(""))).toEqual(sentences);
});

test("when read aloud, code and formulas are named, and only the site of an address is said", () => {
  const sentences = createSentences({ code: "Код.", formula: "формула" });
  const text =
    "Вот:\n```js\nlet a;\n```\nПлощадь $x^2$, а также\n$$\n\\frac{a}{b}\n$$\nи \\[y\\] по https://www.example.com/a/b?c=1. Всё.";
  expect([...sentences.push(text), ...sentences.flush()]).toEqual([
    "Вот:",
    "Код.",
    "Площадь формула, а также",
    "формула",
    "и формула по example.com",
    "Всё.",
  ]);
});
