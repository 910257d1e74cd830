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

test.each([
  ["Guten Tag", "de", ["en-US", "de-CH"], "de-CH"],
  ["Guten Tag", "de-AT", ["de-DE"], "de-AT"],
  ["Guten Tag", "de", [], "de"],
  ["Привіт, світе", "uk", ["uk-UA"], "uk-UA"],
  ["سلام دنیا", "fa", ["fa-IR"], "fa-IR"],
  ["Hello", "fa", ["fa-IR"], "en-US"],
  ["Привет", "de", ["de-DE"], "ru-RU"],
  ["天気がいい", "ja", ["ja-JP"], "ja-JP"],
  ["你好，世界", "zh-TW", ["zh-CN"], "zh-TW"],
  ["Привет", "ru-KZ", [], "ru-RU"],
])("«%s» in an interface of %s, in a browser of %j, is read in %s", (text, locale, preferred, language) => {
  expect(readingLanguage(text, locale, preferred)).toBe(language);
});

test("what is dictated is in the interface's language, whichever it is", () => {
  expect(dictationLanguage("de", ["en-US", "de-CH"])).toBe("de-CH");
  expect(dictationLanguage("pt-BR", ["pt-PT"])).toBe("pt-BR");
  expect(dictationLanguage("zh-Hans", ["zh-CN"])).toBe("zh-CN");
  expect(dictationLanguage("ru-KZ", ["en-US"])).toBe("ru-RU");
});
