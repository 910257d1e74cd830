import { describe, expect, it } from "vitest";
import { parseTitle } from "./title.ts";

describe("parseTitle", () => {
  it.each([
    ["Погода в Омске", "Погода в Омске"],
    ["«Погода в Омске».", "Погода в Омске"],
    ["**Title:** Weather\n\nBecause it is about weather.", "Weather"],
    ["# Заголовок: чай   и вода", "чай и вода"],
    ["<think>hm\nhm</think>\nЧай", "Чай"],
    ["Okay, the user wants a name for the chat.\n</think>\n\nЧай", "Чай"],
    ["Почему небо синее?", "Почему небо синее?"],
    ["C++ и C#", "C++ и C#"],
  ])("turns %j into the title %j", (written, title) => {
    expect(parseTitle(written)).toBe(title);
  });

  it.each(["", "   \n ", "«»", "Конечно! ".repeat(20), "<think>\nOkay, the user", "<h1>Чай</h1>"])(
    "finds no title in %j",
    (written) => {
      expect(parseTitle(written)).toBeUndefined();
    },
  );

  it("shortens a long title at a word", () => {
    const title = parseTitle("Очень подробный заголовок о том, как заваривать чай путешественнику без чайника");
    expect(title).toBe("Очень подробный заголовок о том, как заваривать чай…");
  });
});
