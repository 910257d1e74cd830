import { expect, test } from "vitest";
import { dictationLanguage, readingLanguage } from "./speech-language.ts";

test.each([
  ["Погода в городе San Francisco ясная", "ru-RU"],
  ["The weather in Москва", "en-US"],
  ["שלום עולם", "he-IL"],
  ["你好，世界", "zh-CN"],
  ["今日は天気がいいです", "ja-JP"],
  ["안녕하세요", "ko-KR"],
  ["123", "en-US"],
])("«%s» is read in %s", (text, language) => {
  expect(readingLanguage(text, "ru", ["ru-RU"])).toBe(language);
});

test("of a language's regions, the one is taken that the browser names", () => {
  expect(dictationLanguage("en", ["ru-RU", "en-GB", "en"])).toBe("en-GB");
  expect(dictationLanguage("en", ["ru"])).toBe("en-US");
  expect(dictationLanguage("ru", [])).toBe("ru-RU");
  expect(readingLanguage("Hello", "en", ["en-GB"])).toBe("en-GB");
});
