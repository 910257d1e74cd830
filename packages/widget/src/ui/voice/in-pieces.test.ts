import { expect, test } from "vitest";
import { inPieces } from "./in-pieces.ts";

test("a sentence that can be said in one breath stays whole", () => {
  expect(inPieces("Сегодня ясно.")).toEqual(["Сегодня ясно."]);
  expect(inPieces(" ")).toEqual([]);
});

test("a long one is cut behind a mark, else between words, else inside the word, and loses nothing", () => {
  const half = "слово ".repeat(20).trim();
  expect(inPieces(`${half}, ${half}.`)).toEqual([`${half},`, `${half}.`]);
  expect(inPieces(`${half} ${half}`).join(" ")).toBe(`${half} ${half}`);
  const long = "😀".repeat(200);
  const pieces = inPieces(long);
  expect(pieces.join("")).toBe(long);
  expect(pieces.every((piece) => piece.length <= 180 && piece.isWellFormed())).toBe(true);
});
