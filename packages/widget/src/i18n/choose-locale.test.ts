import { afterEach, describe, expect, it } from "vitest";
import { readOptions } from "../options.ts";
import { chooseLocale, localeNames, pageLanguages } from "./choose-locale.ts";
import { locales } from "./locales.ts";

describe("the interface's language", () => {
  it.each([
    [["en-GB", "ru"], "en"],
    [["de", "en"], "en"],
    [["RU"], "ru"],
    [["de", ""], "ru"],
    [[], "ru"],
  ])("of those wanted, %j, is %s", (languages, locale) => {
    expect(chooseLocale(languages)).toBe(locale);
  });

  it("is one of all that there are", () => {
    expect(localeNames).toEqual(locales);
  });

  it("is chosen by the page for «auto» alone", () => {
    const read = (locale?: string) =>
      readOptions(
        { locale },
        { scriptUrl: "https://a.example/nitka.js", pageUrl: "https://a.example/", languages: ["en-US"] },
      ).locale;
    expect([read("auto"), read("ru"), read()]).toEqual(["en", "ru", "ru"]);
  });
});

describe("what the page wants", () => {
  afterEach(() => document.documentElement.removeAttribute("lang"));

  it("is its own language, then the browser's", () => {
    expect(pageLanguages()).toEqual(navigator.languages);
    document.documentElement.lang = "de";
    expect(pageLanguages()).toEqual(["de", ...navigator.languages]);
  });
});
