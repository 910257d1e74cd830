// @vitest-environment node
import { describe, expect, it } from "vitest";
import { wordsLocaleOf } from "./i18n/choose-locale.ts";
import { readOptions } from "./options.ts";

const context = { scriptUrl: "https://cdn.example/widget/nitka.js?v=1", pageUrl: "https://shop.example/a/b" };
const read = (options: unknown) => readOptions(options, context);

describe("options", () => {
  it("have defaults; the backend is the origin of the script", () => {
    expect(read({})).toEqual({
      projectId: "default",
      proxyUrl: "https://cdn.example/",
      on: {},
      routing: "path",
      basePath: "",
      layout: "inline",
      locale: "ru",
      colorScheme: "auto",
    });
  });

  it("have no routing in a launcher unless it is given", () => {
    expect(read({ layout: "launcher" }).routing).toBe("none");
    expect(read({ layout: "launcher", routing: "hash" }).routing).toBe("hash");
  });

  it("may give a proxy relative to the page, and a base path with or without slashes", () => {
    expect(read({ proxyUrl: "/chat", basePath: "help/" })).toMatchObject({
      proxyUrl: "https://shop.example/chat",
      basePath: "/help",
    });
  });

  it("count as missing when they are empty, null or undefined", () => {
    expect(read({ projectId: "", proxyUrl: undefined, layout: null, on: null, words: null })).toEqual(read({}));
  });

  it.each([
    [42, "Nitka: options must be an object, not 42."],
    [{ projectId: 7 }, "Nitka: projectId must be a string, not 7."],
    [{ proxyUrl: "https://" }, 'Nitka: proxyUrl must be an http or https URL, not "https://".'],
    [{ proxyUrl: "javascript:alert(1)" }, 'Nitka: proxyUrl must be an http or https URL, not "javascript:alert(1)".'],
    [{ apiBase: "http://[" }, 'Nitka: apiBase must be an http or https URL, not "http://[".'],
    [{ layout: "popup" }, 'Nitka: layout must be "inline" or "launcher", not "popup".'],
    [{ routing: true }, 'Nitka: routing must be "path" or "hash" or "none", not true.'],
    [{ locale: ["ru"] }, "Nitka: locale must be a string, not ru."],
    [{ colorScheme: "blue" }, 'Nitka: colorScheme must be "light" or "dark" or "auto", not "blue".'],
    [{ on: "ready" }, 'Nitka: on must be an object, not "ready".'],
    [{ on: { ready: 1 } }, "Nitka: on.ready must be a function, not 1."],
    [{ renderers: { "tool:buy": "<b>" } }, 'Nitka: renderers.tool:buy must be a function, not "<b>".'],
    [{ tools: { buy: () => 1 } }, "Nitka: tools.buy must be an object, not () => 1."],
    [{ words: { composer: {} } }, "Nitka: words.composer must be a string or a function, not [object Object]."],
    [{ renderers: "x" }, 'Nitka: renderers must be an object, not "x".'],
    [{ words: "Hello" }, 'Nitka: words must be an object, not "Hello".'],
    [{ visitorToken: {} }, "Nitka: visitorToken must be a string or a function, not [object Object]."],
    [{ tools: "buy" }, 'Nitka: tools must be an object, not "buy".'],
  ])("are named in the error when they are wrong (%o)", (options, text) => {
    expect(() => read(options)).toThrow(new TypeError(text));
  });

  it("take tools as they are", () => {
    const tools = { buy: { description: "Buys", parameters: { type: "object" } } };
    expect(read({ tools }).tools).toBe(tools);
  });

  it("take any language, and use English words if the interface does not support it", () => {
    const tags = ["ru", "ru-KZ", "en", "ar", "de-AT"];
    expect(tags.map((locale) => read({ locale }).locale)).toEqual(tags);
    expect(tags.map(wordsLocaleOf)).toEqual(["ru", "ru", "en", "en", "en"]);
  });

  it("convert a base path to the form of an address", () => {
    const paths = ["/помощь", "my help", "/50%", "%D0%B0/", "help", ""].map((basePath) => read({ basePath }).basePath);
    expect(paths).toEqual(["/%D0%BF%D0%BE%D0%BC%D0%BE%D1%89%D1%8C", "/my%20help", "/50%", "/%D0%B0", "/help", ""]);
  });

  it("treat an empty text, as templates write it, as missing", () => {
    expect(read({ proxyUrl: "", apiBase: "", projectId: "", visitorToken: "" })).toEqual(read({}));
  });
});
