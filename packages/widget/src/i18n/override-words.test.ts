import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { failureCodes } from "./failure-codes.ts";
import { en } from "./locales/en.ts";
import { ru } from "./locales/ru.ts";
import type { Words } from "./locales/ru.ts";
import { overrideWords } from "./override-words.ts";
import type { NitkaWords } from "./own-words.ts";

function override(own: object, words: Words = en) {
  const told: string[] = [];
  const changed = overrideWords(words, own, ({ message }) => told.push(message));
  return { changed, told };
}

describe("a page's own words", () => {
  it("stand in place of the locale's, texts and functions; all others stay", () => {
    const removed = (title: string) => `${title} is gone`;
    const own: NitkaWords = { "composer.send": "Ask", "sidebar.removed": removed };
    const { changed, told } = override(own);
    expect({ ...changed, sidebar: { ...changed.sidebar, removed: undefined } }).toEqual({
      ...en,
      composer: { ...en.composer, send: "Ask" },
      sidebar: { ...en.sidebar, removed: undefined },
    });
    expect([changed.sidebar.removed("Cats"), told]).toEqual(["Cats is gone", []]);
  });

  it("may name each text of the interface, those of failed answers too", () => {
    const own = Object.fromEntries(keys.map((key) => [nameOf(key), key.includes("(") ? () => "own" : "own"]));
    const { changed, told } = override(own, ru);
    const said = Object.values(changed).flatMap((group) =>
      Object.values(group).map((word: string | (() => string)) => (typeof word === "string" ? word : word())),
    );
    expect({ told, said: new Set(said), count: said.length }).toEqual({
      told: [],
      said: new Set(["own"]),
      count: keys.length,
    });
  });

  it("that a template has left empty are the locale's", () => {
    expect(override({ "composer.send": undefined, "launcher.open": null })).toEqual({ changed: en, told: [] });
  });

  it.each([
    [{ "composer.snd": "Ask" }, 'Nitka: words has a key that the interface does not know: "composer.snd".'],
    [{ composer: { send: "Ask" } }, 'Nitka: words has a key that the interface does not know: "composer".'],
    [{ "composer.send.now": "Ask" }, 'Nitka: words has a key that the interface does not know: "composer.send.now".'],
    [{ "toString.name": "Ask" }, 'Nitka: words has a key that the interface does not know: "toString.name".'],
    [{ "composer.toString": "Ask" }, 'Nitka: words has a key that the interface does not know: "composer.toString".'],
    [{ "composer.send": 1 }, 'Nitka: words["composer.send"] must be a string, not of the type number.'],
    [{ "failureCodes.silent": {} }, 'Nitka: words["failureCodes.silent"] must be a string, not of the type object.'],
    [{ "sidebar.removed": "gone" }, 'Nitka: words["sidebar.removed"] must be a function, not of the type string.'],
  ])("that cannot be used (%o) are told of, and the rest is used", (own, text) => {
    expect(override({ ...own, "composer.stop": "Halt" })).toEqual({
      changed: { ...en, composer: { ...en.composer, stop: "Halt" } },
      told: [text],
    });
  });

  it.each([
    [() => 7, 'Nitka: words["sidebar.removed"] must give a string, not of the type number.'],
    [
      () => {
        throw new Error("no title");
      },
      "no title",
    ],
  ])("that fail when they are called give way to the locale's, and are told of once", async (removed, text) => {
    const { changed, told } = override({ "sidebar.removed": removed });
    const said = [changed.sidebar.removed("Cats"), changed.sidebar.removed("Dogs")];
    const during = [...told];
    await Promise.resolve();
    expect({ said, during, told }).toEqual({
      said: [en.sidebar.removed("Cats"), en.sidebar.removed("Dogs")],
      during: [],
      told: [text],
    });
  });

  it("are listed in docs/embedding.md, each key with what its function takes", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../../../docs/embedding.md"), "utf8");
    const [, section = ""] = docs.split("\n## Words\n");
    const listed = section
      .split("\n## ")[0]
      ?.split("\n")
      .flatMap((line) => {
        const [, group, texts] = /^- `(\w+)\.`: (.*)$/.exec(line) ?? [];
        return [...(texts ?? "").matchAll(/`([^`]+)`/g)].map(([, text]) => `${group}.${text}`);
      });
    expect(listed).toEqual(keys);
  });
});

/** `sidebar.removed(title)` for a function. */
const keys = Object.entries({ ...ru, failureCodes: failureCodes.ru }).flatMap(([group, texts]) =>
  Object.entries(texts as Readonly<Record<string, unknown>>).map(([name, text]) => {
    const parameters = typeof text === "function" ? (/^\([^)]*\)/.exec(text.toString())?.[0] ?? "()") : "";
    return `${group}.${name}${parameters}`;
  }),
);

function nameOf(key: string): string {
  return key.replace(/\(.*/, "");
}
