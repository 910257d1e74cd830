// @vitest-environment node
import { describe, expect, it } from "vitest";
import { isLocale, locales } from "./i18n/locales.ts";
import { readOptions } from "./options.ts";

const context = { scriptUrl: "https://cdn.example/widget/nitka.js?v=1", pageUrl: "https://shop.example/a/b" };
const read = (options: unknown) => readOptions(options, context);

const tool = { description: "Buys", parameters: { type: "object" } };

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
    [
      { locale: "xx" },
      `Nitka: locale must be ${[...locales, "auto"].map((name) => `"${name}"`).join(" or ")}, not "xx".`,
    ],
    [{ colorScheme: "blue" }, 'Nitka: colorScheme must be "light" or "dark" or "auto", not "blue".'],
    [{ on: "ready" }, 'Nitka: on must be an object of functions, not "ready".'],
    [{ on: { ready: 1 } }, "Nitka: on.ready must be a function, not 1."],
    [{ words: "Hello" }, 'Nitka: words must be an object of texts, not "Hello".'],
    [{ visitorToken: {} }, "Nitka: visitorToken must be a string or a function that gives one, not [object Object]."],
    [{ tools: "buy" }, 'Nitka: tools must be an object of tools, not "buy".'],
    [
      { tools: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`t${index}`, tool])) },
      "Nitka: tools must be at most 32, not 33.",
    ],
    [{ tools: { купить: tool } }, `Nitka: a tool's name must be 1 to 64 of A-Z a-z 0-9 _ -, not "купить".`],
    [{ tools: { buy: null } }, "Nitka: tools.buy.description must be string, not undefined."],
    [{ tools: { buy: { ...tool, parameters: [] } } }, "Nitka: tools.buy.parameters must be object, not ."],
    [
      { tools: { buy: { ...tool, execute: "run" } } },
      'Nitka: tools.buy.execute must be function or undefined, not "run".',
    ],
    [
      { tools: { buy: { ...tool, confirm: 1 } } },
      "Nitka: tools.buy.confirm must be boolean, string or undefined, not 1.",
    ],
    [
      { tools: { buy: { ...tool, repeatable: "yes" } } },
      'Nitka: tools.buy.repeatable must be boolean or undefined, not "yes".',
    ],
    [
      { tools: { buy: { ...tool, title: {} } } },
      "Nitka: tools.buy.title must be string or undefined, not [object Object].",
    ],
  ])("are named in the error when they are wrong (%o)", (options, text) => {
    expect(() => read(options)).toThrow(new TypeError(text));
  });

  it("take tools as they are, and any value as the page's context", () => {
    const tools = {
      buy: { ...tool, title: "Купить", confirm: "Купить?", repeatable: false, execute: () => 1 },
      pick: { ...tool, title: null, confirm: true, execute: undefined },
    };
    const pageContext = () => ({ page: "cart" });
    expect(read({ tools, pageContext })).toMatchObject({ tools, pageContext });
  });

  it("accept every locale", () => {
    expect(locales.filter((locale) => read({ locale }).locale === locale && isLocale(locale))).toEqual(locales);
  });
});
