import { afterEach, describe, expect, it, test } from "vitest";
import { readOptions } from "../options.ts";
import { chooseLocale, pageLanguages, wordsLocaleOf } from "./choose-locale.ts";
import { isRightToLeft, languageTag, withRegion } from "./language-of.ts";

afterEach(() => document.documentElement.removeAttribute("lang"));

describe("the interface's language", () => {
  it.each([
    [["en-GB", "ru"], "en-GB"],
    [["en_US", "en-GB"], "en_US"],
    [["de", "eng", "en"], "en"],
    [["RU"], "RU"],
    [["de", ""], "ru"],
    [[], "ru"],
  ])("is, for the wanted languages %j, %s", (languages, locale) => {
    expect(chooseLocale(languages)).toBe(locale);
  });

  it("is chosen by the page's languages only for «auto»", () => {
    document.documentElement.lang = "en-US";
    const read = (locale?: string) =>
      readOptions({ locale }, { scriptUrl: "https://a.example/nitka.js", pageUrl: "https://a.example/" }).locale;
    expect([read("auto"), read("ru"), read()]).toEqual(["en-US", "ru", "ru"]);
  });
});

test("a language without a region has the one that the browser names first for it", () => {
  const preferred = ["ru-KZ", "en-GB", "en-US", "eng-AU"];
  const given = ["en", "ru", "en-US", "de", "e"];
  expect(given.map((tag) => withRegion(tag, preferred))).toEqual(["en-GB", "ru-KZ", "en-US", "de", "e"]);
});

describe("the languages of the page", () => {
  it("are its own language, then the browser's", () => {
    expect(pageLanguages()).toEqual(["", ...navigator.languages]);
    document.documentElement.lang = "de";
    expect(pageLanguages()).toEqual(["de", ...navigator.languages]);
  });
});

describe("a language as frameworks write it", () => {
  it.each([
    ["ru_RU", "ru-RU", "ru", false],
    ["RU", "ru", "ru", false],
    ["en-gb", "en-GB", "en", false],
    ["fa_IR", "fa-IR", "en", true],
    ["iw", "he", "en", true],
    ["rup", "rup", "en", false],
    ["not a tag", "en", "en", false],
  ])("«%s» is %s, with the words of «%s»", (given, tag, words, rightToLeft) => {
    expect(languageTag(given)).toBe(tag);
    expect(wordsLocaleOf(given)).toBe(words);
    expect(isRightToLeft(languageTag(given))).toBe(rightToLeft);
  });
});
