import { expect, it } from "vitest";
import { markedWords } from "./marked-words.ts";

function marked(text: string, query: string): string {
  return markedWords(text, query)
    .map((piece) => (piece.isFound ? `[${piece.text}]` : piece.text))
    .join("");
}

it("marks words in another form, in another case and with ё, and the beginning of the last word", () => {
  expect(marked("Прогноз погоды на завтра", "ПОГОДА")).toBe("Прогноз [погоды] на завтра");
  expect(marked("Возврат заказов: всё о заказе", "заказ все")).toBe("Возврат [заказов]: [всё] о [заказе]");
  expect(marked("Delivery of orders, delivered", "order deliver")).toBe("[Delivery] of [orders], [delivered]");
});

it("marks no word that only begins like a short one, and keeps every character", () => {
  expect(marked("Котлета для кота и которая", "кот дом")).toBe("Котлета для [кота] и которая");
  expect(marked("C++ & <b>жирно</b>", "<b>")).toBe("C++ & <[b]>жирно</[b]>");
  expect(marked("Текст", " ?! ")).toBe("Текст");
  expect(marked("", "слово")).toBe("");
});
