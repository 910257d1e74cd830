import { describe, expect, it } from "vitest";
import { cleanTitle, shortTitle } from "./thread-title.ts";

describe("cleanTitle", () => {
  it.each<[string, string | undefined]>([
    ["Погода", "Погода"],
    ["  Погода\r\nв\tМоскве ", "Погода в Москве"],
    ["a\u2028b\u0000c", "a b c"],
    ["\ud800", "\ufffd"],
    [" \n\0", undefined],
    ["😀".repeat(201), "😀".repeat(200)],
  ])("makes of %j %j", (text, title) => {
    expect(cleanTitle(text)).toBe(title);
  });
});

describe("shortTitle", () => {
  it.each([
    ["Погода в Москве", "Погода в Москве"],
    [
      "Очень подробный заголовок о том, как заваривать чай путешественнику",
      "Очень подробный заголовок о том, как заваривать чай…",
    ],
    ["a".repeat(61), `${"a".repeat(60)}…`],
    [`${"a".repeat(29)} ${"b".repeat(40)}`, `${"a".repeat(29)} ${"b".repeat(30)}…`],
    [`${"a".repeat(31)} ${"b".repeat(40)}`, `${"a".repeat(31)}…`],
    [`${"a".repeat(59)}😀`, `${"a".repeat(59)}\ufffd…`],
  ])("turns %j into %j", (title, short) => {
    expect(shortTitle(title)).toBe(short);
  });
});
