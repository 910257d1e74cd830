import { expect, it } from "vitest";
import { cleanTitle } from "./thread-title.ts";

it.each<[string, string | undefined]>([
  ["Погода", "Погода"],
  ["  Погода\r\nв\tМоскве ", "Погода в Москве"],
  ["a\u2028b\u0000c", "a b c"],
  ["\ud800", "\ufffd"],
  [" \n\0", undefined],
  ["😀".repeat(201), "😀".repeat(200)],
])("a title %j is %j", (text, title) => {
  expect(cleanTitle(text)).toBe(title);
});
