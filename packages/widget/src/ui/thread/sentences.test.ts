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
