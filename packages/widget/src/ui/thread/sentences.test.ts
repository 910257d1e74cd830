import { expect, test } from "vitest";
import { createSentences } from "./sentences.ts";

/** What is said of a text that arrives in pieces. */
function said(...pieces: readonly string[]): readonly string[] {
  const sentences = createSentences();
  return [...pieces.flatMap((piece) => sentences.push(piece)), ...sentences.flush()];
}

test("a sentence is said when it is whole, and the rest at the end", () => {
  const sentences = createSentences();
  expect(sentences.push("Погода ясн")).toEqual([]);
  expect(sentences.push("ая. Возьмите ку")).toEqual(["Погода ясная."]);
  expect(sentences.push("ртку! ")).toEqual(["Возьмите куртку!"]);
  expect(sentences.push("Ветер")).toEqual([]);
  expect(sentences.flush()).toEqual(["Ветер"]);
});

test("a number's point ends no sentence", () => {
  expect(said("Держится 17.5 градуса. Ясно.")).toEqual(["Держится 17.5 градуса.", "Ясно."]);
});

test("the marks of markdown are not said", () => {
  expect(said("## Итог\n- **да**, [прогноз](https://example.com) `ясно`\n> цитата\n---\n")).toEqual([
    "Итог",
    "да, прогноз ясно",
    "цитата",
  ]);
});

test("code is left out, however it is cut", () => {
  expect(said("Вот:\n``", "`ts\nconst a = 1;\n", "```\nГотово.")).toEqual(["Вот:", "Готово."]);
});
